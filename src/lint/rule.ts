import type { Rule } from "eslint";
import { type Edit, rangeOf } from "./syntax/edit.ts";
import type { Node } from "./syntax/node.ts";
import { workflowCodeOf, type WorkflowCode } from "./workflow/workflow-code.ts";

/** Where the pages of the rules are: they are a part of the package. */
const PAGES = "https://unpkg.com/stepwell/docs/lint";

export interface Finding<Message extends string> {
  readonly node: Node;
  readonly message: Message;
  readonly data?: Readonly<Record<string, string>>;
  /** What may be done about it, if the author thinks so. */
  readonly suggestions?: readonly Suggestion<Message>[];
}

export interface Suggestion<Message extends string> {
  readonly message: Message;
  readonly data?: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
}

/** A file with workflow code, as a rule sees it. */
export interface Inspected {
  readonly code: WorkflowCode;
  readonly textOf: (node: Node) => string;
  /** Counts from 1. */
  readonly lineOf: (node: Node) => number;
  /** Of typescript-eslint, where it was given a program. */
  readonly services: unknown;
  /** The first option of the rule. */
  readonly option: unknown;
}

export interface RuleSource<Message extends string> {
  readonly name: string;
  readonly description: string;
  readonly type: "problem" | "suggestion";
  readonly messages: Readonly<Record<Message, string>>;
  readonly schema?: NonNullable<Rule.RuleMetaData["schema"]>;
  readonly defaultOptions?: unknown[];
  readonly hasSuggestions?: boolean;
  readonly find: (file: Inspected) => Iterable<Finding<Message>>;
}

/** A rule for ESLint and oxlint: looks at a file as a whole once its tree is there, and at nothing without workflows. */
export function defineRule<Message extends string>(source: RuleSource<Message>): Rule.RuleModule {
  const { name, description, type, messages, schema = [], defaultOptions = [], hasSuggestions = false } = source;
  return {
    meta: {
      type,
      docs: { description, recommended: true, url: `${PAGES}/${name}.md` },
      messages,
      schema,
      defaultOptions,
      hasSuggestions,
    },
    create: (context) => ({
      "Program:exit"() {
        const code = workflowCodeOf(context);
        if (code === undefined) return;
        const { sourceCode } = context;
        const file: Inspected = {
          code,
          textOf: (node) => sourceCode.text.slice(...rangeOf(node)),
          lineOf: (node) => sourceCode.getLocFromIndex(rangeOf(node)[0]).line,
          services: sourceCode.parserServices,
          option: context.options[0],
        };
        for (const finding of source.find(file)) context.report(descriptorOf(finding));
      },
    }),
  };
}

function descriptorOf<Message extends string>({ node, message, data, suggestions }: Finding<Message>) {
  return {
    // The cast: ESLint's types know nothing of TypeScript's syntax, which a finding may be about as well.
    node: node as unknown as Rule.Node,
    messageId: message,
    ...(data !== undefined && { data }),
    ...(suggestions !== undefined && {
      suggest: suggestions.map((suggestion) => ({
        messageId: suggestion.message,
        ...(suggestion.data !== undefined && { data: suggestion.data }),
        fix: (fixer: Rule.RuleFixer) =>
          suggestion.edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text)),
      })),
    }),
  };
}
