import { brandClasses, brandOf } from "./brand.ts";

/** What is said of an execution that failed. */
export interface ExecutionFailedOptions {
  /** The workflow's own error, with a code that it declares; else the engine's. */
  readonly declared: boolean;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

/** Another execution, whose value was asked for, failed. */
export class ExecutionFailed extends Error {
  declare readonly declared: boolean;
  declare readonly code: string;
  declare readonly details: unknown;
  constructor({ declared, code, message, details }: ExecutionFailedOptions) {
    super(message);
    this.declared = declared;
    this.code = code;
    this.details = details;
  }
  static is(error: unknown): error is ExecutionFailed {
    return brandOf(error) === "ExecutionFailed";
  }
}

/** Another execution, whose value was asked for, was cancelled. */
export class ExecutionCancelled extends Error {
  static is(error: unknown): error is ExecutionCancelled {
    return brandOf(error) === "ExecutionCancelled";
  }
}

brandClasses({ ExecutionFailed, ExecutionCancelled });
