import { forkExecution } from "../../execution/fork-execution.ts";
import type { ExecutionPort } from "../../execution/wire.ts";
import { readBody } from "../body.ts";
import { type Address, ask, tell } from "../execution-stub.ts";
import { executionIdOf } from "../identifiers.ts";
import { Problem } from "../problem.ts";
import { FORK_BODY, parseRequest } from "../requests.ts";
import { executionPath, viewDocument } from "../view-document.ts";
import type { Answer, Visit } from "../visit.ts";
import { addressInPath, granted } from "./addressed.ts";

/** `POST …/{id}/fork`: 201 and the view of the new execution, 200 where the same fork had been made before. */
export async function forkRoute(visit: Visit): Promise<Answer> {
  const original = addressInPath(visit);
  const { workflow, id: of } = original;
  const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
  // Nothing has to be said: the whole is forked, under a new id.
  const body = parseRequest(FORK_BODY, sent.kind === "document" ? sent.document : {});
  const id = executionIdOf(workflow, body.id, undefined);
  const before = body.before === undefined ? {} : { before: body.before };
  const fork = { ...original, id };
  const forking = { workflow, of, id, ...before };
  const answer = await forkExecution(readerOf(original), writerOf(fork), forking);
  // Only what it is forked before can be wrong about it.
  if (answer.kind === "refused" && answer.code === "VALIDATION_ERROR") {
    const { code, message } = answer;
    throw new Problem(code, message, { issues: [{ path: "before", message }] });
  }
  const { created, view } = granted(answer);
  const headers = { location: executionPath(visit.prefix, workflow, id) };
  return { kind: "document", status: created ? 201 : 200, document: viewDocument(view, visit), headers };
}

function readerOf(address: Address): Pick<ExecutionPort, "cut" | "copy"> {
  return {
    cut: (request) => ask(address, (port) => port.cut(request)),
    copy: async (request) => {
      const page = await ask(address, (port) => port.copy(request));
      if (page.kind === "absent") return { kind: "absent" };
      // Not the object that came: it has a disposer, for which the platform would have the other side call its own.
      const { kind, rows, parts, next } = page;
      return { kind, rows, parts, next };
    },
  };
}

function writerOf(address: Address): Pick<ExecutionPort, "fork"> {
  return { fork: (request, copy) => tell(address, (port) => port.fork(request, copy)) };
}
