import { forkExecution as fork } from "../execution/fork-execution.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import type { ForkAnswer } from "../execution/wire-fork.ts";
import { granted } from "./addressed.ts";
import { type Address, ask, tell } from "./execution-stub.ts";
import { executionIdOf } from "./identifiers.ts";
import { Problem } from "./problem.ts";
import { FORK_BODY, parseRequest } from "./requests.ts";

/** Forks an execution, as `{ id?, before? }` says; beside what stands in `execution-requests.ts`. */
export async function forkExecution(original: Address, document: unknown): Promise<ForkAnswer> {
  const { workflow, id: of } = original;
  const body = parseRequest(FORK_BODY(), document);
  const id = executionIdOf(workflow, body.id, undefined);
  const before = body.before === undefined ? {} : { before: body.before };
  const answer = await fork(readerOf(original), writerOf({ ...original, id }), { workflow, of, id, ...before });
  // Only what it is forked before can be wrong about it.
  if (answer.kind === "refused" && answer.code === "VALIDATION_ERROR") {
    const { code, message } = answer;
    throw new Problem(code, message, { issues: [{ path: "before", message }] });
  }
  return granted(answer);
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
