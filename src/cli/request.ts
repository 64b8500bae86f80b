import { type ProblemDocument, RequestRefused } from "../client/errors.ts";
import { type Place, placeOf, type Session } from "./session.ts";

/** What the typed client has no call for: a GET of a path under `/v1`. */
export async function get(session: Session, path: string, init: RequestInit = {}): Promise<Response> {
  const { url, token }: Place = placeOf(session);
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const target = `${url.replace(/\/+$/, "")}/v1/${path}`;
  return await session.terminal.surroundings.fetch(target, { ...init, headers, redirect: "manual" });
}

/** The refusal that an answer is, in the words of the client. */
export async function refusalOf(response: Response): Promise<RequestRefused> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "nothing";
  const text = await response.text();
  // The cast: so does the interface speak of problems.
  const problem = type.startsWith("application/problem+json") ? (JSON.parse(text) as ProblemDocument) : undefined;
  const detail = `Cannot use the answer as a Stepwell must give it: current value is ${type} with status ${status}`;
  return new RequestRefused({ status, code: "UNEXPECTED_ANSWER", detail, ...problem });
}
