import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { AnyWorkflow, InputOf, OutputOf, TypesOf } from "./workflow.ts";
import type { Schemas } from "./workflow-context.ts";

/** How an execution failed: by an error that its workflow declares, told apart by code, or by the engine's. */
export type Failure<E extends Schemas> =
  | {
      [Code in keyof E & string]: {
        readonly kind: "failed";
        readonly declared: true;
        readonly code: Code;
        readonly message: string;
        readonly details: StandardSchemaV1.InferOutput<E[Code]>;
      };
    }[keyof E & string]
  | {
      readonly kind: "failed";
      readonly declared: false;
      readonly code: string;
      readonly message: string;
      readonly details: unknown;
    };

/** How an execution ended. */
export type Outcome<W extends AnyWorkflow> =
  | { readonly kind: "completed"; readonly value: OutputOf<W> }
  | Failure<TypesOf<W>["errors"]>
  | { readonly kind: "cancelled" };

/** What a start takes after the workflow: the input may be left out only where it may be `undefined`. */
export type StartArguments<W, Options> =
  undefined extends InputOf<W> ? [input?: InputOf<W>, options?: Options] : [input: InputOf<W>, options?: Options];
