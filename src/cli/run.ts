import { RequestRefused, ResultTimeout } from "../client/errors.ts";
import { readArguments } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { candidatesFor } from "./complete.ts";
import { EXIT_CODES, type ExitCode } from "./exit-code.ts";
import { Terminal, type Surroundings } from "./terminal.ts";
import { usageOf, usageOfCommand } from "./usage.ts";
import { UsageError } from "./usage-error.ts";

export interface Program extends Surroundings {
  /** Of the package. */
  readonly version: string;
}

/** One call of `stepwell`, with what stands behind its name. */
export async function run(args: readonly string[], program: Program): Promise<ExitCode> {
  const terminal = new Terminal(program);
  try {
    return await dispatch(args, terminal, program.version);
  } catch (error) {
    return tellFault(error, args, terminal);
  }
}

async function dispatch(args: readonly string[], terminal: Terminal, version: string): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === "complete") return await complete(rest, terminal);
  if (name === "--version") {
    terminal.text(version);
    return EXIT_CODES.done;
  }
  if (name === undefined || name === "help" || name === "--help") {
    terminal.text(usageOf(COMMANDS));
    return name === undefined ? EXIT_CODES.usage : EXIT_CODES.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(COMMANDS).join(", ");
    throw new UsageError(`Cannot run ${JSON.stringify(name)} as the commands are ${names}`);
  }
  const given = readArguments(name, command, rest);
  if (!given.has("help")) return await command.run({ terminal, given, isJson: given.has("json") });
  terminal.text(usageOfCommand(name, command));
  return EXIT_CODES.done;
}

async function complete(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const typed = words[0] === "--" ? words.slice(1) : words;
  const candidates = await candidatesFor(terminal, typed);
  if (candidates.length > 0) terminal.text(candidates.join("\n"));
  return EXIT_CODES.done;
}

/** @throws what is no fault of the user, the Worker or the network: it is one of ours */
function tellFault(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  if (error instanceof UsageError || error instanceof RangeError) {
    terminal.note(error.message);
    return EXIT_CODES.usage;
  }
  if (RequestRefused.is(error)) {
    if (args.includes("--json")) terminal.json({ ...error.problem });
    terminal.note(`${error.code} (${error.status}): ${error.message}`);
    for (const { path, message } of error.issues ?? [])
      terminal.note(`  ${path === "" ? "(all of it)" : path}: ${message}`);
    return EXIT_CODES.refused;
  }
  if (ResultTimeout.is(error)) {
    terminal.note(error.message);
    return EXIT_CODES.notEnded;
  }
  if (!isUnreachable(error)) throw error;
  terminal.note(`No answer: ${[error.message, ...causesOf(error)].join(": ")}`);
  return EXIT_CODES.unreachable;
}

/** What `fetch` and the client throw where no answer came. */
function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  return (
    message === "fetch failed" ||
    /^There was no answer|^terminated$/.test(message) ||
    /^(?:Abort|Timeout)Error$/.test(name)
  );
}

function causesOf({ cause }: Error): readonly string[] {
  if (!(cause instanceof Error)) return [];
  // Node gathers what it tried in one error without words.
  const inner = cause instanceof AggregateError ? (cause.errors as readonly unknown[]).map(String) : [cause.message];
  return inner.filter((text) => text !== "");
}
