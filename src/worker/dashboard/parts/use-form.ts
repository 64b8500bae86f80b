import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { RequestRefused } from "../data/ask.ts";
import {
  canSay,
  type Draft,
  type DraftIssue,
  draftOf,
  readDraft,
  type Reading,
  readJson,
} from "../model/form-draft.ts";
import { type Field, fieldOf, type JsonSchema } from "../model/form-field.ts";

/** A form for one value, by its schema; whoever prefers it, or has a value that no form can show, writes JSON. */
export interface ValueForm {
  readonly field: Field;
  readonly mode: Signal<"form" | "json">;
  readonly draft: Signal<Draft>;
  readonly text: Signal<string>;
  readonly issues: Signal<readonly DraftIssue[]>;
  /** From the form to its JSON, or back. */
  readonly switchMode: () => void;
  /** What was written, `undefined` where nothing was; throws where it cannot be read. */
  readonly read: () => unknown;
}

export interface FormOptions {
  readonly label: string;
  /** What stands in it at first. */
  readonly initial?: unknown;
}

export function useValueForm(schema: JsonSchema | undefined, { label, initial }: FormOptions): ValueForm {
  const field = useMemo(() => fieldOf(schema, { label }), [schema, label]);
  // What the form cannot say as it is would be another value when it is sent.
  const isJson = field.kind === "json" || !(initial === undefined || canSay(field, initial));
  const mode = useSignal<"form" | "json">(isJson ? "json" : "form");
  const draft = useSignal<Draft>(draftOf(field, initial));
  const text = useSignal(initial === undefined ? "" : JSON.stringify(initial, null, 2));
  const issues = useSignal<readonly DraftIssue[]>([]);
  const reading = (): Reading => {
    if (mode.peek() === "form") return readDraft(field, draft.peek());
    return text.peek().trim() === "" ? { kind: "nothing" } : readJson(text.peek());
  };
  const switchMode = () => {
    const found = reading();
    issues.value = found.kind === "issues" ? found.issues : [];
    // What cannot be read stays where it was written.
    if (found.kind === "issues" && mode.peek() === "json") return;
    const value = found.kind === "value" ? found.value : undefined;
    if (mode.peek() === "json" && value !== undefined && !canSay(field, value)) {
      issues.value = [{ path: "", message: "has something in it that the form has no place for" }];
      return;
    }
    if (mode.peek() === "form") text.value = value === undefined ? "" : JSON.stringify(value, null, 2);
    else draft.value = draftOf(field, value);
    mode.value = mode.peek() === "form" ? "json" : "form";
  };
  const read = () => {
    const found = reading();
    issues.value = found.kind === "issues" ? found.issues : [];
    if (found.kind === "issues") {
      throw new RequestRefused(0, {
        code: "NOT_SENT",
        detail: "Something is missing, or cannot be sent: it says so above.",
      });
    }
    return found.kind === "value" ? found.value : undefined;
  };
  return { field, mode, draft, text, issues, switchMode, read };
}
