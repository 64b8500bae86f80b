import type { EntryForm } from "../../execution/entry-document.ts";
import { socketRequest } from "../../execution/socket-request.ts";
import { addressInPath, granted } from "../addressed.ts";
import type { Absent, Refused } from "../../execution/wire.ts";
import { acceptedEventForm, EVENT_TYPE } from "../media-type.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";
import { type Address, ask, tell } from "../execution-stub.ts";
import { EVENTS_QUERY, LAST_EVENT_ID, parseRequest, queryOf } from "../requests.ts";
import { chosenProtocol, wantsSocket } from "../socket-handshake.ts";
import { executionPath } from "../view-document.ts";

/** A handshake is answered by itself: what it accepts says nothing. */
export const EVENTS: Endpoint = {
  route: watchEvents,
  acceptedForm: (request) => (wantsSocket(request) ? "json" : acceptedEventForm(request)),
  describe: () => ({
    id: "watchEvents",
    summary: "Every entry of the journal, live",
    description:
      "As server-sent events, to the last entry of an execution that has ended; a comment comes every 15 seconds. With " +
      "`Upgrade: websocket` through a WebSocket: each entry is a message, the JSON of `data`; what a viewer sends is a " +
      "`Frame`, and answered by a `FrameAnswer`. Its token may be one of the protocols, `stepwell.token.` and its " +
      "base64url, offered together with `stepwell`.",
    query: EVENTS_QUERY(),
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "`id` is the number of the entry, `event` its type, `data` the entry",
        mediaType: EVENT_TYPE,
        example: 'id: 7\nevent: completed\ndata: {"entry":7,"type":"completed","value":true,"at":1796029205000}\n\n',
      },
      101: { description: "A WebSocket" },
      204: { description: "The execution has ended, and every entry was seen: there is no use in coming back" },
    },
    problems: ["VIEWER_LIMIT", "FORBIDDEN"],
  }),
};

/**
 * `GET …/{id}/events?from`: every entry from one on, live and to the last: as server-sent events, or through a
 * WebSocket. 204 where there is nothing any more: a browser's `EventSource` comes back until it is told so.
 */
async function watchEvents(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const from = firstEntryWanted(visit.request);
  const journalPath = `${executionPath(visit.prefix, address.workflow, address.id)}/journal`;
  const form = { form: visit.form, journalPath };
  if (wantsSocket(visit.request)) return await openSocket(visit, address, { ...form, from });
  const isOpened = visit.request.method !== "HEAD";
  const answer = granted(await ask(address, (stub) => stub.events({ from, form, isOpened })));
  if (answer.kind === "over") return { kind: "empty" };
  const response = new Response(answer.stream ?? null, { headers: { "content-type": EVENT_TYPE } });
  return { kind: "response", response };
}

async function openSocket(visit: Visit, address: Address, watched: EntryForm & { from: number }): Promise<Answer> {
  const protocol = chosenProtocol(visit.request);
  const { workflow } = address;
  const viewer = { ...watched, role: visit.role, workflow, ...(protocol !== undefined && { protocol }) };
  const response = await tell(address, (stub) => stub.fetch(socketRequest(viewer)));
  // Without a WebSocket the object says why.
  if (response.status === 200) granted(await response.json<Absent | Refused>());
  return { kind: "response", response };
}

/** After the last one seen, which comes first: a browser that reconnects repeats the query as well. */
function firstEntryWanted({ headers, url }: Request): number {
  const { from } = parseRequest(EVENTS_QUERY(), queryOf(url));
  const last = headers.get("last-event-id");
  if (last === null) return from;
  return parseRequest(LAST_EVENT_ID(), last, "Last-Event-ID") + 1;
}
