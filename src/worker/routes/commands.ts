import type { Command } from "../../execution/wire.ts";
import { addressInPath } from "../addressed.ts";
import { readBody } from "../body.ts";
import { commandExecution } from "../execution-requests.ts";
import { viewDocument } from "../view-document.ts";
import type { Answer, Route, Visit } from "../visit.ts";

/** The commands that have a route of their own. */
export const COMMANDS = ["cancel", "terminate", "pause", "resume"] as const satisfies readonly Command[];

/** `POST …/{id}/{command}`: 202 and the view, or 200 where the execution already is so. */
export function commandRoute(command: Command): Route {
  return async (visit: Visit): Promise<Answer> => {
    const address = addressInPath(visit);
    const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
    // Nothing has to be said with a command, so an empty body is as good as none whatever its type.
    const answer = await commandExecution(address, command, sent.kind === "document" ? sent.document : {});
    const document = viewDocument(answer.view, visit);
    return { kind: "document", status: answer.changed ? 202 : 200, document };
  };
}
