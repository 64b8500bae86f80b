import type { Asked, Encoded, Fact } from "./entry.ts";
import type { ExecutionName } from "./execution-name.ts";

/** What becomes of a child when its parent is cancelled or ends. */
export type OnParentEnd = "cancel" | "continue";

/** How another execution ended. */
export type ChildOutcome =
  | { readonly kind: "completed"; readonly value: Encoded }
  | {
      readonly kind: "failed";
      readonly declared: boolean;
      readonly code: string;
      readonly message: string;
      readonly details: Encoded;
    }
  | { readonly kind: "cancelled" };

/** The code asked for the start of another execution. */
export interface ChildRequested extends Fact<"child-requested">, Asked<"child">, ExecutionName {
  /** As the code gave it: what its schema makes of it is found out when it is delivered. */
  readonly input: Encoded;
  readonly onParentEnd: OnParentEnd;
}

/** The other execution exists. */
export interface ChildStarted extends Fact<"child-started"> {
  readonly op: number;
  /** Somebody else had made the same start: it is no child of ours, and never cancelled with us. */
  readonly adopted?: true;
  /** The cancellation of the child went along with its start. */
  readonly cancelled?: true;
  /** It told its end before its start was acknowledged. */
  readonly ended?: true;
}

/** The start was refused. */
export interface ChildRefused extends Fact<"child-refused"> {
  readonly op: number;
  readonly code: string;
  readonly message: string;
}

/** The code waits for the end of another execution, its child or not. */
export interface ChildAwaited extends Fact<"child-awaited">, Asked<"execution">, ExecutionName {
  readonly dueAt?: number;
}

/** The other execution was asked, and has not ended. Its end will be told; if that is lost, it is asked again. */
export interface ChildWatched extends Fact<"child-watched"> {
  readonly op: number;
  readonly askAt: number;
}

/** An execution that is awaited here has ended. Which waits that settles, and when, is decided as for a signal. */
export interface ChildEnded extends Fact<"child-ended">, ExecutionName {
  readonly outcome: ChildOutcome;
}

/** A wait settles with an end. */
export interface ChildWaitEnded extends Fact<"child-wait-ended"> {
  readonly op: number;
  /** The number of the `child-ended` entry. */
  readonly ended: number;
}

export interface ChildWaitTimedOut extends Fact<"child-wait-timed-out"> {
  readonly op: number;
}

/** The other execution does not exist, or cannot be watched. */
export interface ChildWaitRefused extends Fact<"child-wait-refused"> {
  readonly op: number;
  readonly code: string;
  readonly message: string;
}

/** The cancellation of these children reached them, or found them ended. */
export interface ChildrenCancelled extends Fact<"children-cancelled"> {
  /** The numbers of their starts. */
  readonly ops: readonly number[];
}

/** What is journaled of other executions that are started or awaited. */
export type ChildEntry =
  | ChildRequested
  | ChildStarted
  | ChildRefused
  | ChildAwaited
  | ChildWatched
  | ChildEnded
  | ChildWaitEnded
  | ChildWaitTimedOut
  | ChildWaitRefused
  | ChildrenCancelled;
