import { configurationFault } from "../configuration.ts";
import type { Answer, Visit } from "../visit.ts";
import { Problem } from "../problem.ts";

/** `GET /healthz`: 200 when the configuration is valid, else 503 with the reason. */
export async function health(visit: Visit): Promise<Answer> {
  const fault = configurationFault(visit.site, visit.env, visit.request.url);
  if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
  return { kind: "document", status: 200, document: { status: "ok" } };
}
