import type { ShownEntry } from "./history.ts";
import { failureText } from "./phrase.ts";
import { lengthText } from "./time.ts";

/** What an entry is about and says, for a line in the journal; its type stands beside it. */
export function entryText(entry: ShownEntry, names: (op: number) => string | undefined): string {
  const subject = subjectOf(entry, names);
  const details = detailsOf(entry);
  return [subject, ...details].filter((part) => part !== undefined && part !== "").join(" · ");
}

function subjectOf(entry: ShownEntry, names: (op: number) => string | undefined): string | undefined {
  if ("name" in entry) return entry.name;
  if ("op" in entry && entry.op !== undefined) return names(entry.op) ?? `operation ${entry.op}`;
  if ("ops" in entry) {
    const listed = entry.ops.map((each) => (typeof each === "number" ? names(each) : each.name));
    return listed.slice(0, 3).join(", ") + (listed.length > 3 ? ` and ${listed.length - 3} others` : "");
  }
  return undefined;
}

function detailsOf(entry: ShownEntry): readonly (string | undefined)[] {
  const shown: (string | undefined)[] = [];
  if ("attempt" in entry) shown.push(`attempt ${entry.attempt}`);
  if ("failure" in entry && entry.failure !== undefined) shown.push(failureText(entry.failure));
  if ("retryAt" in entry && entry.retryAt !== undefined) shown.push(`again in ${lengthText(entry.retryAt - entry.at)}`);
  if ("because" in entry) shown.push(entry.because === "retry-after" ? "Retry-After" : "backoff");
  if ("spent" in entry && entry.spent !== undefined) shown.push(`spent: ${entry.spent}`);
  if ("dueAt" in entry && entry.dueAt !== undefined) shown.push(`due in ${lengthText(entry.dueAt - entry.at)}`);
  if ("code" in entry) shown.push(entry.code);
  if ("message" in entry && typeof entry.message === "string") shown.push(entry.message);
  if ("reason" in entry) shown.push(entry.reason);
  return shown;
}
