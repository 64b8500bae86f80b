import { readdirSync, readFileSync } from "node:fs";
import { parseSync, Visitor, type Argument, type Expression } from "oxc-parser";

/** A test whose name, or the name of a suite around it, begins with numbers of behaviours and cases. */
export interface NamedTest {
  readonly file: string;
  /** The numbers as `docs/conformance.json` has them: `S12`, `case 7`. */
  readonly ids: readonly string[];
  /** The name in the source. What is only known at run time stands as `…`, or as a placeholder of `it.each`. */
  readonly title: string;
  /** Of the suites around it, in the same file, the numbered ones. */
  readonly suites: readonly string[];
}

const FOLDERS = ["test", "examples"];

/** The numbers of each file that is no test itself count where a test file calls it, so every source is read. */
export function readNamedTests(root: string): NamedTest[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .sort()
    .flatMap((file) => namedTestsIn(file, readFileSync(root + file, "utf8")));
}

export function namedTestsIn(file: string, source: string): NamedTest[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined)
    throw new Error(`Cannot read the tests of ${file} as it is no TypeScript: ${error.message}.`);
  const found: NamedTest[] = [];
  const suites: string[] = [];
  const add = (title: string): void => {
    const numbered = suites.filter((outer) => idsIn(outer).length > 0);
    const ids = [...new Set([...numbered, title].flatMap(idsIn))];
    if (ids.length > 0) found.push({ file, ids, title, suites: numbered });
  };
  new Visitor({
    // A table of tests has the beginnings of their names as its keys.
    Property({ key }) {
      if (key.type === "Literal" && typeof key.value === "string" && idsIn(key.value).length > 0) add(`${key.value}…`);
    },
    CallExpression(call) {
      const suite = suiteTitle(call);
      if (suite !== undefined) suites.push(suite);
      const name = rootName(call.callee);
      const title = name === "it" || name === "test" ? titleOf(call.arguments[0]) : undefined;
      if (title !== undefined) add(title);
    },
    "CallExpression:exit"(call) {
      if (suiteTitle(call) !== undefined) suites.pop();
    },
  }).visit(program);
  return found;
}

const NUMBER = /^(?:(S\d+)|cases? (\d+))(?:[:,]\s*|\s+|$)/;

/** The numbers with which a name begins: of "S30, case 12: spends the step" both. */
export function idsIn(title: string): string[] {
  const number = NUMBER.exec(title);
  if (number === null) return [];
  const [text, behaviour, numberOfCase] = number;
  return [behaviour ?? `case ${numberOfCase}`, ...idsIn(title.slice(text.length))];
}

function suiteTitle(call: { readonly callee: Expression; readonly arguments: Argument[] }): string | undefined {
  return rootName(call.callee) === "describe" ? titleOf(call.arguments[0]) : undefined;
}

/** `it` of `it`, `it.each(rows)` and `it.skipIf(fast)`. */
function rootName(callee: Expression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return rootName(callee.object);
  if (callee.type === "CallExpression") return rootName(callee.callee);
  return undefined;
}

function titleOf(argument: Argument | undefined): string | undefined {
  if (argument?.type === "Literal" && typeof argument.value === "string") return argument.value;
  if (argument?.type !== "TemplateLiteral") return undefined;
  return argument.quasis.map(({ value }) => value.cooked ?? value.raw).join("…");
}
