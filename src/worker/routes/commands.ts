import type { Command } from "../../execution/wire.ts";
import { readBody } from "../body.ts";
import type { Answer, Route, Visit } from "../visit.ts";
import { tell } from "../execution-stub.ts";
import { COMMAND_BODY, parseRequest } from "../requests.ts";
import { viewDocument } from "../view-document.ts";
import { addressInPath, granted } from "./addressed.ts";

/** The commands that have a route of their own. */
export const COMMANDS = ["cancel", "terminate", "pause", "resume"] as const satisfies readonly Command[];

/** `POST …/{id}/{command}`: 202 and the view, or 200 where the execution already is so. */
export function commandRoute(command: Command): Route {
  return async (visit: Visit): Promise<Answer> => {
    const address = addressInPath(visit);
    const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
    // Nothing has to be said with a command, so an empty body is as good as none whatever its type.
    const { reason } = parseRequest(COMMAND_BODY, sent.kind === "document" ? sent.document : {});
    const answer = granted(
      await tell(address, (port) => port.command({ command, ...(reason === undefined ? {} : { reason }) })),
    );
    const document = viewDocument(answer.view, visit);
    return { kind: "document", status: answer.changed ? 202 : 200, document };
  };
}
