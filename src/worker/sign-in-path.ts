/** The paths of signing in and out, below that of the routes. */
export const SIGN_IN_PATH = "/dashboard/sign-in";
export const SESSION_PATH = "/dashboard/session";
export const SIGN_OUT_PATH = "/dashboard/sign-out";

/** Where a browser goes that has signed in, and did not say whereto. */
const START_PATH = "/dashboard";

/**
 * A path of this very site below that of the routes, or else where everybody starts: whoever makes the link to the page
 * must not choose where a browser goes that has just signed in.
 */
export function pathAfterSignIn(
  next: string | null | undefined,
  { url, prefix }: { url: string; prefix: string },
): string {
  const start = `${prefix}${START_PATH}`;
  if (typeof next !== "string" || !next.startsWith("/")) return start;
  const { origin } = new URL(url);
  const target = URL.parse(next, origin);
  if (target === null || target.origin !== origin || !target.pathname.startsWith(`${prefix}/`)) return start;
  // What is left when `/.//host` has lost its dot is another host to a browser.
  return target.pathname.startsWith("//") ? start : target.pathname + target.search;
}

/** Where a page is shown that needs a session: through the form, and back. */
export function signInPath(prefix: string, url: string): string {
  const { pathname, search } = new URL(url);
  return `${prefix}${SIGN_IN_PATH}?${new URLSearchParams({ next: pathname + search }).toString()}`;
}
