import type { ESLint, Linter } from "eslint";
import { noFloatingOperation } from "./rules/no-floating-operation.ts";
import { noForeignPromise } from "./rules/no-foreign-promise.ts";
import { noNestedStep } from "./rules/no-nested-step.ts";
import { noNondeterminism } from "./rules/no-nondeterminism.ts";
import { noSwallowedCancel } from "./rules/no-swallowed-cancel.ts";
import { stepName } from "./rules/step-name.ts";
import { uniqueStepName } from "./rules/unique-step-name.ts";

/** Rules for the code of workflows. */
export const rules = {
  "step-name": stepName,
  "unique-step-name": uniqueStepName,
  "no-nested-step": noNestedStep,
  "no-floating-operation": noFloatingOperation,
  "no-nondeterminism": noNondeterminism,
  "no-foreign-promise": noForeignPromise,
  "no-swallowed-cancel": noSwallowedCancel,
};

const meta = { name: "stepwell", namespace: "stepwell" };

/** All rules; `no-swallowed-cancel` warns, as going on after a cancellation can be meant. */
const recommended = {
  name: "stepwell/recommended",
  plugins: {
    // The plugin is what holds this configuration.
    get stepwell(): ESLint.Plugin {
      return plugin;
    },
  },
  rules: {
    "stepwell/step-name": "error",
    "stepwell/unique-step-name": "error",
    "stepwell/no-nested-step": "error",
    "stepwell/no-floating-operation": "error",
    "stepwell/no-nondeterminism": "error",
    "stepwell/no-foreign-promise": "error",
    "stepwell/no-swallowed-cancel": "warn",
  },
} as const satisfies Linter.Config;

export const configs = { recommended };

/** The plugin, for ESLint and as a JS plugin of oxlint. */
const plugin = { meta, rules, configs };
export default plugin;
