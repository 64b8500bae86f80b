const KEY = "stepwell.opened";
const KEPT = 12;

export interface Opened {
  readonly workflow: string;
  readonly id: string;
}

/** The executions that were opened in this browser, the last one first: where there is no directory, all that is known. */
export function recentlyOpened(): readonly Opened[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isOpened) : [];
  } catch {
    // A browser may keep nothing for a page, or something else of this name: there is nothing to show then.
    return [];
  }
}

export function noteOpened({ workflow, id }: Opened): void {
  const others = recentlyOpened().filter((each) => each.workflow !== workflow || each.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ workflow, id }, ...others].slice(0, KEPT)));
  } catch {
    // As above: it is a convenience, and nothing depends on it.
  }
}

function isOpened(value: unknown): value is Opened {
  if (typeof value !== "object" || value === null || !("workflow" in value) || !("id" in value)) return false;
  return typeof value.workflow === "string" && typeof value.id === "string";
}
