import type { JournalEntry } from "./journal-entry.ts";

export interface ExecutionAddress {
  /** Of the Worker, without a slash at its end. */
  readonly url: string;
  readonly workflow: string;
  readonly id: string;
}

/** Why the Worker refused a request, from its problem document. */
export class RequestRefused extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(`The Worker answered ${status}: ${detail}`);
    this.name = "RequestRefused";
    this.status = status;
  }
}

/** Resolves when the Worker's configuration is valid; otherwise throws the reason that it gives. */
export async function checkHealth(url: string): Promise<void> {
  await send(`${url}/healthz`);
}

export async function startExecution({ url, workflow, id }: ExecutionAddress, input: unknown): Promise<void> {
  await send(`${url}/v1/workflows/${workflow}/executions`, { id, input });
}

export async function sendSignal(execution: ExecutionAddress, name: string, value: unknown): Promise<void> {
  await send(`${addressOf(execution)}/signals/${name}`, value);
}

/** All entries from number `from` on. */
export async function readJournal(execution: ExecutionAddress, from: number): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (;;) {
    const page = await send(`${addressOf(execution)}/journal?from=${from + entries.length}&limit=1000`);
    // The shape of the HTTP API; the Worker is of the same commit as this client.
    const { entries: read } = page as { readonly entries: readonly JournalEntry[] };
    entries.push(...read);
    if (read.length < 1_000) return entries;
  }
}

export async function readState(execution: ExecutionAddress): Promise<string> {
  // As above.
  const { state } = (await send(addressOf(execution))) as { readonly state: string };
  return state;
}

function addressOf({ url, workflow, id }: ExecutionAddress): string {
  return `${url}/v1/workflows/${workflow}/executions/${id}`;
}

/** GET without a body, else POST. */
async function send(address: string, body?: unknown): Promise<unknown> {
  const response = await fetch(address, {
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new RequestRefused(response.status, text);
  // `/healthz` answers in any form.
  return response.headers.get("Content-Type")?.includes("json") === true ? JSON.parse(text) : text;
}
