/** One thing that is wrong with what was sent. */
export interface Issue {
  /** Where it is in the document or query that was sent, as in `input.lines[0].sku`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** A document of many small faults must not make an answer larger than itself. */
export const ISSUES_SHOWN = 100;

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function formatPath(keys: readonly PropertyKey[]): string {
  let path = "";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else if (IDENTIFIER.test(String(key))) path += path === "" ? String(key) : `.${String(key)}`;
    else path += `[${JSON.stringify(String(key))}]`;
  }
  return path;
}

/** Issues in one line, for a message. */
export function formatIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}
