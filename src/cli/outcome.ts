import type { ExecutionHandle } from "../client/types.ts";
import { shown } from "./describe-entry.ts";
import { EXIT_CODES, type ExitCode } from "./exit-code.ts";
import type { Session } from "./session.ts";

type AnyOutcome = Awaited<ReturnType<ExecutionHandle["awaitOutcome"]>>;

/** Prints how an execution ended, and says it to the shell. */
export function tellOutcome({ terminal, isJson }: Session, outcome: AnyOutcome): ExitCode {
  if (isJson) terminal.json(outcome);
  else drawOutcome(terminal, outcome);
  return exitCodeOf(outcome);
}

export function exitCodeOf({ kind }: AnyOutcome): ExitCode {
  return kind === "completed" ? EXIT_CODES.done : EXIT_CODES[kind];
}

function drawOutcome(terminal: Session["terminal"], outcome: AnyOutcome): void {
  switch (outcome.kind) {
    case "completed":
      return terminal.line(`completed: ${shown(outcome.value)}`, "good");
    case "failed":
      return terminal.line(`failed: ${outcome.code} ${outcome.message} ${shown(outcome.details)}`, "bad");
    case "cancelled":
      return terminal.line("cancelled", "waiting");
  }
}
