import { createClient } from "../client/create-client.ts";
import type { Client, ExecutionHandle } from "../client/types.ts";
import type { Given, Shape } from "./arguments.ts";
import { executionOf } from "./read-text.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";
import { asUsage, UsageError } from "./usage-error.ts";

/** One call of one command. */
export interface Session {
  readonly terminal: Terminal;
  readonly given: Given;
  /** Print JSON. */
  readonly isJson: boolean;
}

export interface Command extends Shape {
  readonly run: (session: Session) => Promise<ExitCode>;
}

export interface Place {
  readonly url: string;
  readonly token: string | undefined;
}

/**
 * Where the Worker is. The token comes from the environment alone: what stands on a command line is seen by every
 * process of the machine, and kept by shells.
 */
export function placeOf({ terminal, given }: Session): Place {
  const { env } = terminal.surroundings;
  const url = given.option("url") ?? env["STEPWELL_URL"];
  if (url === undefined || url === "") {
    throw new UsageError(
      "Cannot reach a Worker as --url or STEPWELL_URL must say where it is: current value is missing",
    );
  }
  return { url, token: env["STEPWELL_TOKEN"] || undefined };
}

export function clientOf(session: Session): Client {
  const place = placeOf(session);
  const { fetch } = session.terminal.surroundings;
  return asUsage(() => createClient({ ...place, fetcher: { fetch } }));
}

/** An execution that the command line names first. */
export interface Named {
  readonly handle: ExecutionHandle;
  /** As it was named: `order/order-42`. */
  readonly name: string;
}

export function namedOf(session: Session): Named {
  const [name = ""] = session.given.arguments;
  const { workflow, id } = executionOf(name);
  return { handle: clientOf(session).get(workflow, id), name };
}

/** What stands in a place for a value: JSON, or `-` for what comes on the input. */
export async function valueText({ terminal }: Session, text: string): Promise<string> {
  return text === "-" ? await terminal.surroundings.readInput() : text;
}
