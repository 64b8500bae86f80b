import type { Journal } from "../execution/journal.ts";
import { decodeOutcome } from "../execution/outcome.ts";
import type { Operation, Settlement } from "../journal/state.ts";
import { CancelledError, OperationRefused } from "../steps/errors.ts";
import type { Failure } from "../steps/failure.ts";

/** One operation of an execution, as a test sees it. */
export interface TestOperation {
  /** With its occurrence: `ship`, `ship#2`. */
  readonly name: string;
  /** `step`, `sleep`, `signal` … */
  readonly kind: string;
  /**
   * `running`, `waiting`, `completed`, `cancelled` or `abandoned`; of a step also `queued`, `interrupted`, `exhausted`
   * and `failed`.
   */
  readonly state: string;
  /** Attempts of a step, interrupted ones included, replays not. 0 for what has none. */
  readonly attempts: number;
  /** What it settled with. */
  readonly value?: unknown;
  /** What it rejected with. */
  readonly error?: unknown;
  /** When a waiting step is attempted again. */
  readonly retryAt?: number;
  /** Of a step: how its last attempt failed. */
  readonly lastFailure?: Failure;
}

/** Every operation of a journal, in the order in which the code asked. */
export function operationsOf(journal: Journal): TestOperation[] {
  const settlements = new Map<number, Settlement>();
  for (const settlement of journal.state.settlements) {
    if (settlement !== undefined) settlements.set(settlement.op, settlement);
  }
  return journal.state.operations.map((operation) => {
    const settlement = settlements.get(operation.op);
    const { name, kind } = operation;
    return {
      name,
      kind,
      state: stateOf(operation),
      ...(operation.kind === "step" ? attemptsOf(operation) : { attempts: 0 }),
      ...(settlement && settledWith(settlement, journal)),
    };
  });
}

function stateOf({ phase }: Operation): string {
  if (phase === "open") return "waiting";
  return phase === "settled" ? "completed" : phase;
}

function attemptsOf(
  step: Extract<Operation, { readonly kind: "step" }>,
): Omit<TestOperation, "name" | "kind" | "state"> {
  const { attempts, phase, retryAt, lastFailure } = step;
  return {
    attempts,
    ...(phase === "waiting" && { retryAt }),
    ...(lastFailure !== undefined && { lastFailure }),
  };
}

function settledWith(settlement: Settlement, journal: Journal): Pick<TestOperation, "value" | "error"> {
  switch (settlement.kind) {
    case "value":
      return { value: journal.decode(settlement.value) };
    case "error":
      return { error: journal.decode(settlement.error) };
    case "elapsed":
      return { value: undefined };
    case "signal":
    case "received":
      return { value: { received: true, value: journal.decode(settlement.value) } };
    case "not-received":
      return { value: { received: false } };
    case "started":
      return { value: settlement.execution };
    case "ended":
      return { value: decodeOutcome(settlement.outcome, journal) };
    case "timeout":
      return { value: { kind: "timeout" } };
    case "refused":
      return { error: new OperationRefused(settlement.code, settlement.message) };
    case "cancelled":
      return { error: new CancelledError(settlement.reason ?? "The execution was cancelled.") };
  }
}
