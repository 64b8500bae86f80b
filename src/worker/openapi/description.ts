import type * as z from "zod/mini";
import type { ProblemCode } from "../problem.ts";
import type { AnswerName } from "./answers.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A header that a request may carry, by its name in `headers.ts`. */
export type HeaderName = "Idempotency-Key" | "Prefer" | "Last-Event-ID";

export interface DescribedBody {
  /** The schema that validates it; without one it is any JSON. */
  readonly schema?: z.ZodMiniType;
  readonly example: unknown;
  /** It may come as the fields of a form as well. */
  readonly isFormToo?: true;
}

export interface DescribedAnswer {
  readonly description: string;
  /** A schema of `answers.ts`; none: there is no body, or none of JSON. */
  readonly schema?: AnswerName;
  /** @default "application/json" */
  readonly mediaType?: string;
  /** Instead of the example of the schema. */
  readonly example?: unknown;
  /** Headers of the answer, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route is for those who call it. Made only when somebody asks for the document. */
export interface Description {
  /** The name of the operation. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The parameters of the query, by the schema that validates them. */
  readonly query?: z.ZodMiniObject;
  readonly headers?: readonly HeaderName[];
  readonly body?: DescribedBody;
  readonly answers: { readonly [Status in 101 | 200 | 201 | 202 | 204 | 303 | 503]?: DescribedAnswer };
  /** Besides those that the form of the route brings with it. */
  readonly problems: readonly ProblemCode[];
  /** It stands before the gate. */
  readonly isPublic?: true;
}
