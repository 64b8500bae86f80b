import { COMMON_OPTIONS, type Shape } from "./arguments.ts";

const OPTION_WIDTH = 30;

/** How a command is written: `stepwell signal EXECUTION NAME [VALUE]`. */
function lineOf(name: string, shape: Shape): string {
  const places = shape.arguments.map((argument) => (argument.isOptional ? `[${argument.name}]` : argument.name));
  return ["stepwell", name, ...places].join(" ");
}

/** Of all commands. */
export function usageOf(commands: Readonly<Record<string, Shape>>): string {
  const lines = Object.entries(commands).map(([name, shape]) => [lineOf(name, shape), shape.summary] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return [
    "stepwell COMMAND …: looks after the executions of a Worker.",
    "",
    ...lines.map(([line, summary]) => `  ${line.padEnd(width)}  ${summary}`),
    "",
    "An EXECUTION is WORKFLOW/ID. INPUT, VALUE and POLICY are JSON, or - for what comes on the input.",
    "",
    "  --url URL    where the Worker is; else STEPWELL_URL",
    "  --json       print JSON",
    "  --help       of all commands, or of one",
    "  --version",
    "",
    "STEPWELL_TOKEN is the token of the Worker. It is read from the environment alone.",
    "",
    "Exit codes: 0 done · 1 refused · 2 wrong usage · 3 the execution failed · 4 it was cancelled ·",
    "5 it has not ended in time · 6 no answer",
  ].join("\n");
}

/** Of one command. */
export function usageOfCommand(name: string, shape: Shape): string {
  const options = Object.entries({ ...shape.options, ...COMMON_OPTIONS }).map(([option, { takes, meaning }]) => {
    const written = takes === undefined ? `--${option}` : `--${option} ${takes}`;
    return `  ${written.padEnd(OPTION_WIDTH)}  ${meaning}`;
  });
  return [`${lineOf(name, shape)} [OPTION …]: ${shape.summary}.`, "", ...options].join("\n");
}
