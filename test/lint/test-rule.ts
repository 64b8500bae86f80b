import * as parser from "@typescript-eslint/parser";
import { type Rule, RuleTester } from "eslint";
import { describe, it } from "vitest";

RuleTester.describe = describe;
RuleTester.it = it;

/** What a rule is given, by the sentence that says what is tested. */
interface Cases {
  readonly valid: Readonly<Record<string, ValidCase>>;
  readonly invalid: Readonly<Record<string, InvalidCase>>;
}

type ValidCase = string | Omit<RuleTester.ValidTestCase, "name">;
type InvalidCase = Omit<RuleTester.InvalidTestCase, "name">;

/** Runs a rule over TypeScript, by ESLint's own tester. */
export function testRule(name: string, rule: Rule.RuleModule, { valid, invalid }: Cases): void {
  const tester = new RuleTester({ languageOptions: { parser } });
  tester.run(name, rule, {
    valid: Object.entries(valid).map(([sentence, each]) => ({
      name: sentence,
      ...(typeof each === "string" ? { code: each } : each),
    })),
    invalid: Object.entries(invalid).map(([sentence, each]) => ({ name: sentence, ...each })),
  });
}

/** The code of a workflow that has all of its context at hand. */
export function workflow(body: string, context = "{ input, env, step, sleep, awaitSignal, errors }"): string {
  return `import { defineWorkflow } from "stepwell";
import { charge, format, refund, store } from "./shop.ts";
defineWorkflow({ name: "order" }, async (${context}) => {
${body}
});`;
}
