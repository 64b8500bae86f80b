import * as z from "zod/mini";
import { refuseOtherOrigins, roleByToken, unauthorized } from "../auth.ts";
import { readBody, readForm } from "../body.ts";
import { configurationFault, hasTokens, tokensOf } from "../configuration.ts";
import { lazily } from "../lazily.ts";
import { acceptedForm, acceptedOnly, isFormBody } from "../media-type.ts";
import { Problem } from "../problem.ts";
import { parseRequest } from "../requests.ts";
import { endedSessionCookie, sessionCookie, sessionEnd } from "../session.ts";
import type { SignInPage } from "../sign-in-page.ts";
import { pathAfterSignIn, SIGN_IN_PATH } from "../sign-in-path.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

const HTML = "text/html";

const SIGN_IN_BODY = lazily(() => z.strictObject({ token: z.string(), next: z.optional(z.string()) }));

const SESSION_COOKIE = { "Set-Cookie": "The session: HttpOnly, SameSite=Strict" };

/** `GET /dashboard/sign-in`: the form. */
export const SIGN_IN_PAGE: Endpoint = {
  route: showSignIn,
  acceptedForm: acceptedOnly(HTML),
  describe: () => ({
    id: "signInPage",
    summary: "The page by which a browser signs in",
    isPublic: true,
    answers: {
      200: { description: "The page", mediaType: HTML, example: "<!doctype html>…" },
      303: { description: "To where the browser came from, as no token is set" },
    },
    problems: ["NOT_FOUND"],
  }),
};

/** `POST /dashboard/session`: a token for a session. */
export const SIGN_IN: Endpoint = {
  route: signIn,
  acceptedForm: formOfAnswer,
  describe: () => ({
    id: "signIn",
    summary: "Makes a session of a token: a cookie that a browser sends by itself",
    description:
      "The session has the role of the token and ends after 12 hours, or when the token is changed. A form is answered " +
      "with a page to go to: `next`, a path below that of these routes.",
    isPublic: true,
    body: { schema: SIGN_IN_BODY(), example: { token: "the token" }, isFormToo: true },
    answers: {
      200: { description: "Signed in", schema: "Session", headers: SESSION_COOKIE },
      303: { description: "Signed in by a form", headers: { Location: "The page to go to", ...SESSION_COOKIE } },
    },
    problems: ["UNAUTHORIZED", "NOT_FOUND"],
  }),
};

/** `POST` or `DELETE /dashboard/sign-out` */
export function signOutEndpoint(id: string): Endpoint {
  return {
    route: signOut,
    acceptedForm: formOfAnswer,
    describe: () => ({
      id,
      summary: "Lets the browser forget its session",
      isPublic: true,
      answers: {
        204: { description: "It is forgotten", headers: SESSION_COOKIE },
        303: { description: "The same to a form", headers: { Location: "The page to sign in", ...SESSION_COOKIE } },
      },
      problems: ["NOT_FOUND"],
    }),
  };
}

async function showSignIn(visit: Visit): Promise<Answer> {
  checkHasSessions(visit);
  const next = pathAfterSignIn(new URL(visit.request.url).searchParams.get("next"), placeOf(visit));
  if (!hasTokens(tokensOf(visit.env))) return redirected(next);
  return await signInPage({ prefix: visit.prefix, next });
}

async function signIn(visit: Visit): Promise<Answer> {
  checkHasSessions(visit);
  refuseOtherOrigins(visit.request);
  const { env, request, prefix } = visit;
  const isForm = isFormBody(request.headers);
  const sent = parseRequest(SIGN_IN_BODY(), isForm ? await readForm(request, 0) : await documentOf(request));
  const next = pathAfterSignIn(sent.next, placeOf(visit));
  const tokens = tokensOf(env);
  // Nothing to sign in to: see `callerOf`.
  const role = hasTokens(tokens) ? roleByToken(sent.token, tokens) : "full";
  if (role === undefined) {
    if (!isForm) throw unauthorized();
    return await signInPage({ prefix, next, fault: "This token is not valid." });
  }
  const endAt = sessionEnd(Date.now());
  const headers = hasTokens(tokens) ? { "set-cookie": sessionCookie(sent.token, endAt, { request, prefix }) } : {};
  if (isForm) return redirected(next, headers);
  return { kind: "document", status: 200, document: { role, endsAt: endAt }, headers };
}

/** Needs no session: one that has ended can be forgotten as well. */
async function signOut(visit: Visit): Promise<Answer> {
  checkHasSessions(visit);
  const { request, prefix } = visit;
  refuseOtherOrigins(request);
  const headers = { "set-cookie": endedSessionCookie({ request, prefix }) };
  if (isFormBody(request.headers)) return redirected(`${prefix}${SIGN_IN_PATH}`, headers);
  return { kind: "response", response: new Response(null, { status: 204, headers }) };
}

/** Before the gate, so what it would have found is looked for here. A deployment with an `auth` has its own way in. */
function checkHasSessions({ site, env, request }: Visit): void {
  const fault = configurationFault(site, env, request.url);
  if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
  if (site.auth !== undefined) throw new Problem("NOT_FOUND", "The deployment decides by itself who is asking");
}

/** What a form is answered with is a page to a browser, whatever else that accepts. */
function formOfAnswer(request: Request) {
  return isFormBody(request.headers) ? "json" : acceptedForm(request);
}

async function documentOf(request: Request): Promise<unknown> {
  const sent = await readBody(request, 0);
  return sent.kind === "document" ? sent.document : {};
}

async function signInPage(shown: SignInPage): Promise<Answer> {
  // Only who has to sign in pays for it.
  const { signInResponse } = await import("../sign-in-page.ts");
  return { kind: "response", response: await signInResponse(shown) };
}

function redirected(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: "response", response: new Response(null, { status: 303, headers: { ...headers, location } }) };
}

function placeOf({ request, prefix }: Visit) {
  return { url: request.url, prefix };
}
