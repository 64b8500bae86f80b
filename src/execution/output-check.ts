import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pathOf } from "./context.ts";
import type { RunResult } from "./run.ts";
import type { WorkflowDefinition } from "./workflow.ts";

/** The check of a returned value by the schema of the output, which may take its time. */
export class OutputCheck {
  /** The result after its check: what the schema made of the value, or that it does not fit. */
  checked: RunResult | undefined;

  constructor(result: RunResult, { output }: WorkflowDefinition, checkedNow: () => void) {
    if (result.kind === "threw" || output === undefined) this.checked = result;
    else this.#ask(output, result.value, checkedNow);
  }

  #ask(output: StandardSchemaV1, value: unknown, checkedNow: () => void): void {
    try {
      const answer = output["~standard"].validate(value);
      if (answer instanceof Promise) this.#await(answer, checkedNow);
      else this.checked = resultOf(answer);
    } catch (thrown) {
      this.checked = { kind: "threw", thrown };
    }
  }

  #await(answer: Promise<StandardSchemaV1.Result<unknown>>, checkedNow: () => void): void {
    answer
      .then(resultOf, (thrown: unknown) => ({ kind: "threw" as const, thrown }))
      .then((checked) => {
        this.checked = checked;
        checkedNow();
      })
      // Neither of them throws; a promise must end somewhere.
      .catch(() => {});
  }
}

function resultOf(answer: StandardSchemaV1.Result<unknown>): RunResult {
  if (answer.issues === undefined) return { kind: "returned", value: answer.value };
  const issues = answer.issues.map((issue) => `${pathOf(issue.path)}: ${issue.message}`).join("; ");
  const message = `Cannot return this value as it does not fit the output schema: ${issues}`;
  return { kind: "threw", thrown: new TypeError(message) };
}
