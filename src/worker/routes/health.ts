import { configurationFault } from "../configuration.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";
import { Problem } from "../problem.ts";

export const HEALTH: Endpoint = {
  route: health,
  describe: () => ({
    id: "health",
    summary: "Whether the configuration is valid",
    isPublic: true,
    answers: { 200: { description: "It is", schema: "Health" } },
    problems: [],
  }),
};

/** `GET /healthz`: 200 when the configuration is valid, else 503 with the reason. */
async function health(visit: Visit): Promise<Answer> {
  const fault = configurationFault(visit.site, visit.env, visit.request.url);
  if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
  return { kind: "document", status: 200, document: { status: "ok" } };
}
