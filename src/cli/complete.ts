import { COMMON_OPTIONS, type Given, type Place, type Shape } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { SHELLS } from "./commands/completion.ts";
import { SCHEDULE_ACTIONS } from "./commands/schedules.ts";
import { get, refusalOf } from "./request.ts";
import { clientOf, type Session } from "./session.ts";
import { ORDERS, STATES } from "./states.ts";
import type { Terminal } from "./terminal.ts";

/** More would not help anybody to choose. */
const MAXIMUM_IDS = 50;
/** A shell that waits longer seems to hang. */
const PATIENCE_MS = 2_000;

/** What the last of these words may become. */
export async function candidatesFor(terminal: Terminal, typed: readonly string[]): Promise<readonly string[]> {
  // bash makes three words of `--state=paused`.
  const words = typed.filter((word) => word !== "=");
  const current = words.at(-1) ?? "";
  const [name = ""] = words;
  if (words.length <= 1) return starting(Object.keys(COMMANDS), current);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return [];
  const place = placeAt(command, words.slice(1));
  if (place === "option") {
    return starting(
      Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((option) => `--${option}`),
      current,
    );
  }
  const session = { terminal, given: givenIn(words), isJson: false };
  return await candidatesAt(place, { session, words, current });
}

/** What has been typed is not complete: of it, only where the Worker is matters. */
function givenIn(words: readonly string[]): Given {
  const at = words.indexOf("--url");
  const url = at < 0 ? undefined : words[at + 1];
  return {
    arguments: [],
    has: () => false,
    option: (name) => (name === "url" ? url : undefined),
    options: () => [],
  };
}

/** What is asked for where the last word stands. */
function placeAt(shape: Shape, words: readonly string[]): Place | "option" {
  const options = { ...shape.options, ...COMMON_OPTIONS };
  let position = 0;
  let valueOf: Place | undefined;
  for (const word of words.slice(0, -1)) {
    if (valueOf !== undefined) valueOf = undefined;
    else if (word.startsWith("-")) valueOf = placeOfValue(options, word);
    else position += 1;
  }
  if (valueOf !== undefined) return valueOf;
  if (words.at(-1)?.startsWith("-") === true) return "option";
  return shape.arguments[position]?.place ?? "other";
}

function placeOfValue(options: Shape["options"], word: string): Place | undefined {
  const name = word.slice("--".length);
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  return spec?.takes === undefined ? undefined : (spec.place ?? "other");
}

interface Asking {
  readonly session: Session;
  readonly words: readonly string[];
  readonly current: string;
}

async function candidatesAt(place: Place, { session, words, current }: Asking): Promise<readonly string[]> {
  switch (place) {
    case "execution":
      return await executionsStarting(session, current);
    case "workflow":
      return starting(
        (await workflowsOf(session)).map(({ name }) => name),
        current,
      );
    case "signal": {
      const workflow = words.find((word) => word.includes("/"))?.split("/")[0];
      const found = (await workflowsOf(session)).filter(({ name }) => name === workflow);
      return starting(
        found.flatMap(({ signals }) => signals),
        current,
      );
    }
    case "state":
      return starting(STATES, current);
    case "order":
      return starting(ORDERS, current);
    case "shell":
      return starting(SHELLS, current);
    case "action":
      return starting(SCHEDULE_ACTIONS, current);
    case "schedule":
      return starting(await schedulesOf(session), current);
    case "other":
      return [];
  }
}

/** Up to the slash a workflow, behind it an id. */
async function executionsStarting(session: Session, current: string): Promise<readonly string[]> {
  const [workflow = "", idPrefix] = current.split("/");
  if (idPrefix === undefined)
    return starting(
      (await workflowsOf(session)).map(({ name }) => `${name}/`),
      current,
    );
  const found: string[] = [];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for await (const { id } of clientOf(session).list({ workflow, idPrefix, signal })) {
    if (found.push(`${workflow}/${id}`) === MAXIMUM_IDS) break;
  }
  return found;
}

interface ListedWorkflow {
  readonly name: string;
  readonly signals: readonly string[];
}

async function workflowsOf(session: Session): Promise<readonly ListedWorkflow[]> {
  // The cast: so does the interface list them; of one name there may be several versions.
  const { workflows } = (await listed(session, "workflows")) as { readonly workflows: readonly ListedWorkflow[] };
  return [...new Map(workflows.map((workflow) => [workflow.name, workflow])).values()];
}

async function schedulesOf(session: Session): Promise<readonly string[]> {
  // The cast: as above.
  const { schedules } = (await listed(session, "schedules")) as { readonly schedules: readonly { name: string }[] };
  return schedules.map(({ name }) => name);
}

/** Asked once: who types on has no time for the tries of the client. */
async function listed(session: Session, path: string): Promise<unknown> {
  const response = await get(session, path, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw await refusalOf(response);
  return await response.json();
}

function starting(candidates: readonly string[], current: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(current));
}
