import { rules } from "../../../src/lint/index.ts";
import { testRule } from "../test-rule.ts";

const TYPED = {
  filename: `${import.meta.dirname}/file.ts`,
  languageOptions: {
    parserOptions: {
      project: "./tsconfig.json",
      tsconfigRootDir: import.meta.dirname,
      // Where `CI` is set the parser would read each file once, and not see the code of the tests.
      disallowAutomaticSingleRunInference: true,
    },
  },
};

function workflow(body: string): string {
  return `import { defineWorkflow } from "stepwell";
import { shop } from "./shop.ts";
defineWorkflow({ name: "order" }, async (context) => {
${body}
});`;
}

testRule("no-floating-operation", rules["no-floating-operation"], {
  valid: {
    "leaves a call of another file alone whose type is no promise": {
      ...TYPED,
      code: workflow(`shop.show(context); shop.format(1); shop.unknown(1);`),
    },
    "accepts a call of another file that is awaited or kept": {
      ...TYPED,
      code: workflow(`await shop.notify(context, "ada"); const open = shop.notify(context, "bob"); await open;`),
    },
    "cannot know without types what a call of another file gives": workflow(`shop.notify(context, "ada");`),
    "knows nothing by a parser that has no types for the file": {
      code: workflow(`shop.notify(context, "ada");`),
      languageOptions: { parserOptions: { project: null } },
    },
  },
  invalid: {
    "S70 reports a call of another file whose type is a promise": {
      ...TYPED,
      code: workflow(`shop.notify(context, "ada");`),
      errors: [
        {
          messageId: "floating",
          data: { text: "shop.notify(…)" },
          line: 4,
          suggestions: [{ messageId: "await", output: workflow(`await shop.notify(context, "ada");`) }],
        },
      ],
    },
    "reports a call whose type may be a promise": {
      ...TYPED,
      code: workflow(`shop.maybe(1); void shop.charge(1);`),
      errors: [
        { messageId: "floating", suggestions: 1 },
        { messageId: "floating", suggestions: 1 },
      ],
    },
    "reports a step by its type as well as without one": {
      ...TYPED,
      code: workflow(`context.step.run("charge", () => shop.charge(1));`),
      errors: [{ messageId: "floating", suggestions: 1 }],
    },
  },
});

testRule("no-foreign-promise", rules["no-foreign-promise"], {
  valid: {
    "accepts an await of what is no promise by its type": { ...TYPED, code: workflow(`await shop.format(1);`) },
    "accepts a value by its type in a combination": {
      ...TYPED,
      code: workflow(`await Promise.all([shop.format(1), context.sleep("1s")]);`),
    },
  },
  invalid: {
    "reports an await of a promise of another file": {
      ...TYPED,
      code: workflow(`await shop.charge(1);`),
      errors: [{ messageId: "awaited", suggestions: 1 }],
    },
    "reports an await of what may be anything": {
      ...TYPED,
      code: workflow(`await shop.unknown(1);`),
      errors: [{ messageId: "awaited", suggestions: 1 }],
    },
    "takes the await for a promise without types": {
      code: workflow(`await shop.format(1);`),
      errors: [{ messageId: "awaited", suggestions: 1 }],
    },
  },
});
