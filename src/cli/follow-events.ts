import { delay } from "../client/ask.ts";
import { RequestRefused } from "../client/errors.ts";
import type { JournalEntry } from "../client/types.ts";
import type { ExecutionName } from "./read-text.ts";
import { get, refusalOf } from "./request.ts";
import type { Session } from "./session.ts";

/** A comment comes every 15 seconds: after three of them that did not, the connection is dead. */
const SILENCE_MS = 45_000;

/** Connections in a row that brought nothing. */
const TRIES = 5;
const FIRST_DELAY_MS = 500;

/** Refusals that may pass. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** The entries of an execution as they are journaled, from one on to the last, over as many connections as it takes. */
export async function* followEvents(
  session: Session,
  { workflow, id, from }: ExecutionName & { readonly from: number },
): AsyncGenerator<JournalEntry, void, undefined> {
  const path = `workflows/${encodeURIComponent(workflow)}/executions/${encodeURIComponent(id)}/events`;
  let next = from;
  for (let failures = 0; ;) {
    const watch = new AbortController();
    try {
      const headers = { accept: "text/event-stream" };
      const response = await get(session, `${path}?from=${next}`, { headers, signal: watch.signal });
      if (response.status === 204) return;
      if (!response.ok || response.body === null) throw await refusalOf(response);
      // The cast: `fetch` gives bytes.
      const bytes = response.body as ReadableStream<Uint8Array>;
      for await (const entry of entriesIn(bytes, watch)) {
        failures = 0;
        next = entry.entry + 1;
        yield entry;
      }
      // It ended: after the last entry, or because it was cut. The next answer says which.
    } catch (error) {
      failures += 1;
      if (failures === TRIES || (RequestRefused.is(error) && !PASSING.includes(error.status))) throw error;
      session.terminal.note("the connection was lost; trying again");
      await delay(FIRST_DELAY_MS * 2 ** (failures - 1), undefined);
    } finally {
      watch.abort();
    }
  }
}

/** The entries in a stream of server-sent events. */
async function* entriesIn(
  body: ReadableStream<Uint8Array>,
  watch: AbortController,
): AsyncGenerator<JournalEntry, void, undefined> {
  const decoder = new TextDecoder();
  let timer = setTimeout(() => watch.abort(), SILENCE_MS);
  let text = "";
  let data = "";
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      timer = setTimeout(() => watch.abort(), SILENCE_MS);
      const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data:")) data += line.slice("data:".length);
        if (line !== "" || data === "") continue;
        // The cast: so does the interface show an entry.
        yield JSON.parse(data) as JournalEntry;
        data = "";
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
