import type { Call } from "../../src/testing/memory-network.ts";
import type { MemoryHost } from "../support/memory-host.ts";

/** The journal of the caller holds why it calls another execution. Looks need no cause. */
export function causeIsDurable({ objects }: MemoryHost, { from, to, method }: Call): boolean {
  if (method === "view") return true;
  const text =
    objects
      .get(from)
      ?.rows.map(({ entries }) => entries)
      .join("") ?? "";
  if (method === "told") return /\{"type":"(?:completed|failed|cancelled)"/.test(text);
  const id = `"id":${JSON.stringify(to.split("/")[1])}`;
  const causes = { start: "child-requested", watch: "child-awaited", signal: "message-requested" };
  // A cancellation has one of two causes, of which the start of the child comes first.
  const cause = method === "start" || method === "watch" || method === "signal" ? causes[method] : "-requested";
  return text.split('{"type":').some((entry) => entry.includes(cause) && entry.includes(id));
}
