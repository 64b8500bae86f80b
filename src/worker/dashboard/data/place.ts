import { signal } from "@preact/signals";

/** What the page was served with. */
export interface Settings {
  /** The path of the routes; empty at the root. */
  readonly prefix: string;
  /** Whoever may only read is shown no button that changes something. */
  readonly mayChange: boolean;
  /** There is a session that can be ended. */
  readonly canSignOut: boolean;
}

const { prefix = "", role, canSignOut } = document.body.dataset;
export const settings: Settings = { prefix, mayChange: role === "full", canSignOut: canSignOut === "true" };

/** A place in the dashboard, as its address names it. */
export type Place =
  | { readonly page: "list" }
  | { readonly page: "execution"; readonly workflow: string; readonly id: string }
  | { readonly page: "workflows" }
  | { readonly page: "schedules" }
  | { readonly page: "nowhere" };

const HOME = `${settings.prefix}/dashboard`;

/** Path and query of the page that is shown. */
export const address = signal({ path: location.pathname, query: location.search });

export function placeOf(path: string): Place {
  const [first, second, third, ...rest] = path.slice(HOME.length).split("/").slice(1).map(decodeURIComponent);
  if (first === undefined || first === "") return { page: "list" };
  if (first === "workflows" && second === undefined) return { page: "workflows" };
  if (first === "schedules" && second === undefined) return { page: "schedules" };
  const isExecution = first === "executions" && second !== undefined && third !== undefined && rest.length === 0;
  return isExecution ? { page: "execution", workflow: second, id: third } : { page: "nowhere" };
}

export const links = {
  list: HOME,
  workflows: `${HOME}/workflows`,
  schedules: `${HOME}/schedules`,
  execution: (workflow: string, id: string) => `${HOME}/executions/${workflow}/${encodeURIComponent(id)}`,
};

/** Goes to another page of the dashboard; `replace`: without a step to go back to. */
export function goTo(href: string, replace = false): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  showAddress();
  if (!replace) scrollTo(0, 0);
}

function showAddress(): void {
  address.value = { path: location.pathname, query: location.search };
}

/** Follows the browser's own buttons, and links within the dashboard without loading a page. */
export function followAddress(): void {
  addEventListener("popstate", showAddress);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.hasAttribute("download")) return;
    const isHere = link.origin === location.origin && (link.pathname === HOME || link.pathname.startsWith(`${HOME}/`));
    if (!isHere || link.target !== "") return;
    event.preventDefault();
    goTo(link.href);
  });
}
