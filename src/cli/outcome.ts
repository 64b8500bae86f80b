import type { ExecutionHandle } from "../client/types.ts";
import { shown } from "./describe-entry.ts";
import { EXIT_CODES, type ExitCode } from "./exit-code.ts";
import type { Session } from "./session.ts";

type AnyOutcome = Awaited<ReturnType<ExecutionHandle["awaitOutcome"]>>;

/** Prints how an execution ended, and says it to the shell. */
export function tellOutcome({ terminal, isJson }: Session, outcome: AnyOutcome): ExitCode {
  if (isJson) terminal.json(outcome);
  switch (outcome.kind) {
    case "completed":
      if (!isJson) terminal.line(`completed: ${shown(outcome.value)}`, "good");
      return EXIT_CODES.done;
    case "failed":
      if (!isJson) terminal.line(`failed: ${outcome.code} ${outcome.message} ${shown(outcome.details)}`, "bad");
      return EXIT_CODES.failed;
    case "cancelled":
      if (!isJson) terminal.line("cancelled", "waiting");
      return EXIT_CODES.cancelled;
  }
}
