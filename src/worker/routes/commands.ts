import type { Command } from "../../execution/wire.ts";
import { addressInPath } from "../addressed.ts";
import { readBody } from "../body.ts";
import { commandExecution } from "../execution-requests.ts";
import { COMMAND_BODY } from "../requests.ts";
import { viewDocument } from "../view-document.ts";
import type { Answer, Endpoint, Route, Visit } from "../visit.ts";

/** The commands that have a route of their own. */
export const COMMANDS = ["cancel", "terminate", "pause", "resume"] as const satisfies readonly Command[];

const SUMMARIES: Readonly<Record<Command, string>> = {
  cancel: "Cancels an execution: what is open rejects, its code may compensate, and rollbacks run",
  terminate: "Ends an execution as cancelled at once, without its code and without rollbacks",
  pause: "Pauses an execution: nothing starts any more",
  resume: "Resumes an execution that is paused",
};

/** The endpoint of one command. */
export function commandEndpoint(command: (typeof COMMANDS)[number]): Endpoint {
  return {
    route: commandRoute(command),
    describe: () => ({
      id: `${command}Execution`,
      summary: SUMMARIES[command],
      body: { schema: COMMAND_BODY(), example: { reason: "The service is down" } },
      answers: {
        202: { description: "It is done", schema: "View" },
        200: { description: "It already was so", schema: "View" },
      },
      problems: ["EXECUTION_ENDED", "UNSUPPORTED"],
    }),
  };
}

/** `POST …/{id}/{command}`: 202 and the view, or 200 where the execution already is so. */
function commandRoute(command: Command): Route {
  return async (visit: Visit): Promise<Answer> => {
    const address = addressInPath(visit);
    const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
    // Nothing has to be said with a command, so an empty body is as good as none whatever its type.
    const answer = await commandExecution(address, command, sent.kind === "document" ? sent.document : {});
    const document = viewDocument(answer.view, visit);
    return { kind: "document", status: answer.changed ? 202 : 200, document };
  };
}
