import { html } from "hono/html";

/** The paths below that of the routes. */
export const SIGN_IN_PATH = "/dashboard/sign-in";
export const SESSION_PATH = "/dashboard/session";
export const SIGN_OUT_PATH = "/dashboard/sign-out";

/** Where a browser goes that has signed in, and did not say whereto. */
const START_PATH = "/docs";

/** A form and its style; nothing is loaded, nothing runs, and no other page can hold it in a frame. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
  form { display: grid; gap: 0.75rem; width: min(22rem, 90vw); }
  h1 { margin: 0; font-size: 1.25rem; }
  p { margin: 0; }
  input, button { box-sizing: border-box; width: 100%; padding: 0.5rem 0.75rem; font: inherit; }
`;

export interface SignInPage {
  /** The path of the routes. */
  readonly prefix: string;
  /** Whereto, once signed in. */
  readonly next: string;
  /** Why the browser sees the page again. */
  readonly fault?: string;
}

export async function signInResponse({ prefix, next, fault }: SignInPage): Promise<Response> {
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Stepwell: sign in</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <form method="post" action="${prefix}${SESSION_PATH}">
          <h1>Stepwell</h1>
          ${fault === undefined ? "" : html`<p role="alert">${fault}</p>`}
          <label for="token">Token</label>
          <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
          <input name="next" type="hidden" value="${next}" />
          <button>Sign in</button>
        </form>
      </body>
    </html> `;
  return new Response(String(page), {
    status: fault === undefined ? 200 : 401,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
    },
  });
}

/**
 * A path of this very site below that of the routes, or else where everybody starts: whoever makes the link to the page
 * must not choose where a browser goes that has just signed in.
 */
export function pathAfterSignIn(
  next: string | null | undefined,
  { url, prefix }: { url: string; prefix: string },
): string {
  const start = `${prefix}${START_PATH}`;
  // A browser takes `//host` and `/\host` for other hosts, and drops what is no character.
  if (typeof next !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return start;
  const { origin } = new URL(url);
  const target = URL.parse(next, origin);
  if (target === null || target.origin !== origin || !target.pathname.startsWith(`${prefix}/`)) return start;
  return target.pathname + target.search;
}

/** Where a page is shown that needs a session: through the form, and back. */
export function signInPath(prefix: string, url: string): string {
  const { pathname, search } = new URL(url);
  return `${prefix}${SIGN_IN_PATH}?${new URLSearchParams({ next: pathname + search }).toString()}`;
}
