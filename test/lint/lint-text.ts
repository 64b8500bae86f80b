import * as parser from "@typescript-eslint/parser";
import { Linter } from "eslint";
import { configs } from "../../src/lint/index.ts";

/** One finding: the rule without the plugin's name, and the line, from 1. */
export interface Found {
  readonly rule: string;
  readonly line: number;
}

/** What the recommended configuration finds in a text; `options` are for one of the rules. */
export function lintText(
  text: string,
  options?: { readonly rule: string; readonly option: unknown },
): readonly Found[] {
  const config: Linter.Config[] = [
    { files: ["**/*.ts"], languageOptions: { parser } },
    { ...configs.recommended, files: ["**/*.ts"] },
    { ...(options && { rules: { [`stepwell/${options.rule}`]: ["error", options.option] } }) },
  ];
  const messages = new Linter().verify(text, config, "file.ts");
  return messages.map(({ ruleId, line, message }) => {
    if (ruleId === null) throw new SyntaxError(`Cannot lint the text: ${message} in line ${line}`);
    return { rule: ruleId.replace("stepwell/", ""), line };
  });
}
