import type { ViewerTerms } from "./viewer-frame.ts";

/** How a request for a WebSocket carries what the HTTP interface found out about the viewer. */
const TERMS_HEADER = "stepwell-viewer";

/** What an object is told about a viewer who wants a WebSocket. */
export interface SocketRequest extends ViewerTerms {
  /** Number of the first entry wanted. */
  readonly from: number;
  /** The WebSocket protocol that was agreed on. */
  readonly protocol?: string;
}

/** The request as it goes to the object's own `fetch`: a WebSocket travels in no other way. */
export function socketRequest(viewer: SocketRequest): Request {
  // The name of the host says nothing: the stub decides who is asked.
  return new Request("https://execution/events", {
    headers: { upgrade: "websocket", [TERMS_HEADER]: JSON.stringify(viewer) },
  });
}

export function readSocketRequest(request: Request): SocketRequest | undefined {
  const text = request.headers.get(TERMS_HEADER);
  // The cast: only `socketRequest` makes such a header, as no other request reaches an object.
  return text === null ? undefined : (JSON.parse(text) as SocketRequest);
}
