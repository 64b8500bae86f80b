import type { ExecutionPort } from "../../src/execution/wire.ts";
import type { NumberedFact } from "./host.ts";

type Journal = Awaited<ReturnType<ExecutionPort["journal"]>>;

/** The whole journal, page by page: a page ends early where its entries are long. */
export async function allFacts(
  read: (request: { readonly from: number; readonly limit: number }) => Promise<Journal>,
): Promise<readonly NumberedFact[]> {
  const facts: NumberedFact[] = [];
  for (let from: number | null = 0; from !== null;) {
    const page: Journal = await read({ from, limit: Number.MAX_SAFE_INTEGER });
    if (page.kind === "absent") return facts;
    facts.push(...(JSON.parse(page.entries) as NumberedFact[]));
    from = page.next;
  }
  return facts;
}
