import type { EntryForm } from "./entry-document.ts";
import type { ExecutionPort } from "./wire.ts";

/** Who is at the other end of a WebSocket, and how it wants to be answered. */
export interface ViewerTerms extends EntryForm {
  /** One that may only read watches, and commands nothing. */
  readonly role: "full" | "read";
  readonly workflow: string;
}

/** Too much was sent. */
export interface FrameRefusal {
  readonly code: "FRAME_LIMIT";
  readonly message: string;
}

/** What a viewer sent, as the HTTP interface reads it. */
export type ViewerFrame =
  | { readonly kind: "acknowledgement"; readonly entry: number }
  /** Asks something of the execution, and resolves with the frame that answers it. */
  | { readonly kind: "request"; readonly answer: (port: ExecutionPort) => Promise<string> }
  /** Cannot be done, and is answered so. */
  | { readonly kind: "refused"; readonly answer: string };

/** Reads a frame: a text, or bytes, which no viewer has a reason to send. `refusal` is what a command is to be told. */
export type ReadFrame = (
  frame: string | ArrayBuffer,
  viewer: ViewerTerms,
  refusal: FrameRefusal | undefined,
) => ViewerFrame;
