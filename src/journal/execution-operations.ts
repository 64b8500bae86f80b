import type { OnParentEnd } from "./child-entry.ts";
import type { Encoded } from "./entry.ts";
import type { ExecutionName } from "./execution-name.ts";
import type { Message } from "./message-entry.ts";
import type { Closed } from "./state.ts";

/** The start of another execution. */
export interface ChildOperation extends ExecutionName {
  readonly kind: "child";
  readonly op: number;
  readonly name: string;
  readonly onParentEnd: OnParentEnd;
  phase: "open" | "settled" | Closed;
  /** What is known of the start, also after the operation was closed. `adopted`: it was started by somebody else. */
  start: "unacknowledged" | "started" | "adopted" | "refused";
  /** As the code gave it, until the start is acknowledged. */
  input: Encoded | undefined;
  /** Whether it is to be cancelled with its parent. */
  cancel: "none" | "due" | "done";
}

/** A wait for the end of another execution. */
export interface ExecutionOperation extends ExecutionName {
  readonly kind: "execution";
  readonly op: number;
  readonly name: string;
  readonly dueAt: number | undefined;
  phase: "open" | "settled" | Closed;
}

/** A signal to another execution, or its cancellation by the code. */
export interface MessageOperation extends ExecutionName {
  readonly kind: "message";
  readonly op: number;
  readonly name: string;
  phase: "open" | "settled" | Closed;
  /** Until it is delivered. */
  message: Message | undefined;
}
