import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** What stands in a place of the command line; completion offers what fits. */
export type Place = "execution" | "workflow" | "signal" | "state" | "order" | "shell" | "action" | "schedule" | "other";

export interface ArgumentSpec {
  /** As the usage shows it: `EXECUTION`. */
  readonly name: string;
  readonly place: Place;
  readonly isOptional?: true;
}

export interface OptionSpec {
  /** What it takes, as the usage shows it; a flag takes nothing. */
  readonly takes?: string;
  readonly place?: Place;
  /** May be given several times. */
  readonly repeats?: true;
  readonly meaning: string;
}

/** What a command takes. */
export interface Shape {
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
}

/** Every command has these. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: { takes: "URL", meaning: "of the Worker; else STEPWELL_URL" },
  json: { meaning: "print JSON" },
  help: { meaning: "print this" },
};

/** What was given, checked against the shape. */
export interface Given {
  readonly arguments: readonly string[];
  has(option: string): boolean;
  option(name: string): string | undefined;
  options(name: string): readonly string[];
}

/** @throws {UsageError} for what the shape does not have */
export function readArguments(command: string, shape: Shape, args: readonly string[]): Given {
  const specs = { ...shape.options, ...COMMON_OPTIONS };
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { takes }]) => [
      name,
      { type: takes === undefined ? ("boolean" as const) : ("string" as const), multiple: true },
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    // What is wrong is told here, in our words.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "option") take(values, token, { command, specs });
  }
  if (!values.has("help")) checkCount(positionals, shape.arguments, command);
  return {
    arguments: positionals,
    has: (option) => values.has(option),
    option: (name) => values.get(name)?.[0],
    options: (name) => values.get(name) ?? [],
  };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

interface Known {
  readonly command: string;
  readonly specs: Readonly<Record<string, OptionSpec>>;
}

function take(values: Map<string, string[]>, token: OptionToken, { command, specs }: Known): void {
  const { name, rawName, value, inlineValue } = token;
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined || rawName !== `--${name}`) {
    const names = Object.keys(specs).map((known) => `--${known}`);
    throw new UsageError(`Cannot use ${rawName} as the options of ${command} are ${names.join(", ")}`);
  }
  const { takes, repeats } = spec;
  if (takes === undefined && value !== undefined) {
    throw new UsageError(`Cannot use ${rawName} as it takes no value: current value is ${JSON.stringify(value)}`);
  }
  // `--workflow --state paused` forgot a value; one that begins so can be given behind `=`.
  const isMissing = value === undefined || (inlineValue === false && value.startsWith("-") && value !== "-");
  if (takes !== undefined && isMissing) {
    throw new UsageError(`Cannot use ${rawName} as it takes a value, ${rawName}=${takes}: current value is missing`);
  }
  const before = values.get(name) ?? [];
  if (before.length > 0 && repeats !== true) {
    throw new UsageError(`Cannot use ${rawName} as it may be given once: current value is ${JSON.stringify(value)}`);
  }
  values.set(name, [...before, value ?? ""]);
}

function checkCount(given: readonly string[], specs: readonly ArgumentSpec[], command: string): void {
  const missing = specs.find(({ isOptional }, index) => isOptional !== true && given[index] === undefined);
  if (missing !== undefined) {
    throw new UsageError(`Cannot use ${command} as it needs ${missing.name}: current value is missing`);
  }
  const extra = given[specs.length];
  if (extra === undefined) return;
  const rule = specs.length === 0 ? "no arguments" : `only ${specs.map(({ name }) => name).join(" ")}`;
  throw new UsageError(`Cannot use ${command} as it takes ${rule}: current value is ${JSON.stringify(extra)}`);
}
