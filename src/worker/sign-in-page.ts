import { html } from "hono/html";
import { SESSION_PATH } from "./sign-in-path.ts";

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
      // Not `no-referrer`: browsers then say of a form that its origin is `null`, as which nobody may sign in.
      "referrer-policy": "same-origin",
    },
  });
}
