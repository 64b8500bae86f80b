/** The WebSocket protocol of this interface: its frames. Chosen wherever it is offered. */
const PROTOCOL = "stepwell";

/**
 * A token among the protocols that are offered: the one header of a handshake that a script in a browser can set. In
 * base64url without padding, as not every token can be the name of a protocol. It is never answered.
 */
const TOKEN_PROTOCOL = /^stepwell\.token\.([A-Za-z0-9_-]+)$/;

export function wantsSocket({ method, headers }: Request): boolean {
  return method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket";
}

export function chosenProtocol(request: Request): string | undefined {
  return offeredProtocols(request).find((protocol) => protocol === PROTOCOL);
}

export function tokenInProtocols(request: Request): string | undefined {
  if (!wantsSocket(request)) return undefined;
  const encoded = offeredProtocols(request)
    .map((protocol) => TOKEN_PROTOCOL.exec(protocol)?.[1])
    .find((found) => found !== undefined);
  return encoded === undefined ? undefined : decodeBase64Url(encoded);
}

function offeredProtocols({ headers }: Request): readonly string[] {
  return (headers.get("sec-websocket-protocol") ?? "").split(",").map((protocol) => protocol.trim());
}

/** Tokens are visible ASCII, so what comes out is the token itself; of a text that is no base64 nothing does. */
function decodeBase64Url(text: string): string | undefined {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
}
