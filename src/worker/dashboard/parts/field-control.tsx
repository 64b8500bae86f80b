import { useId } from "preact/hooks";
import type { Draft } from "../model/form-draft.ts";
import { type Field, isFixed } from "../model/form-field.ts";
import { FieldIssue, useIssue } from "./field-issue.tsx";

export interface InputProps<F extends Field = Field> {
  readonly field: F;
  /** Of its value, as issues name it. */
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

export type Kind<K extends Field["kind"]> = Extract<Field, { readonly kind: K }>;

/** One of some values. */
export function ChoiceInput({ field, path, draft, onChange }: InputProps<Kind<"choice" | "boolean">>) {
  const choices =
    field.kind === "boolean"
      ? ["true", "false"].map((value) => [value, value] as const)
      : field.choices.map((choice, index) => [String(index), JSON.stringify(choice)] as const);
  return (
    <Select
      field={field}
      path={path}
      value={draft.kind === "written" ? draft.text : ""}
      choices={isFixed(field) ? choices : [["", field.isRequired ? "choose …" : "not said"], ...choices]}
      onChoose={(text) => onChange({ kind: "written", text })}
    />
  );
}

export interface SelectProps {
  readonly field: Field;
  /** Nothing where what is wrong is shown elsewhere. */
  readonly path: string | undefined;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

export function Select({ field, path, value, choices, onChoose }: SelectProps) {
  const id = useId();
  const found = useIssue(path ?? "");
  const issue = path === undefined ? undefined : found;
  return (
    <div class="field">
      <label for={id}>
        <Label field={field} />
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
        {...whereWrong(`${id}-issue`, issue)}
      >
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      <FieldIssue id={`${id}-issue`} message={issue} />
      <Description field={field} />
    </div>
  );
}

/** What is written. */
export function WrittenInput({ field, path, draft, onChange }: InputProps<Kind<"text" | "number" | "json">>) {
  const id = useId();
  const issue = useIssue(path);
  const wrong = whereWrong(`${id}-issue`, issue);
  const text = draft.kind === "written" ? draft.text : "";
  const write = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange({ kind: "written", text: event.currentTarget.value });
  // A line alone would lose the others.
  const hasLines = field.kind === "json" || text.includes("\n");
  return (
    <div class="field">
      <label for={id}>
        <Label field={field} />
      </label>
      {hasLines ? (
        <textarea id={id} rows={4} spellcheck={false} value={text} onInput={write} placeholder="JSON" {...wrong} />
      ) : (
        <input
          id={id}
          value={text}
          onInput={write}
          autocomplete="off"
          inputMode={field.kind === "number" ? "decimal" : "text"}
          placeholder={field.kind === "text" ? (field.format ?? "") : ""}
          {...wrong}
        />
      )}
      <FieldIssue id={`${id}-issue`} message={issue} />
      <Description field={field} />
    </div>
  );
}

/** For those who do not see what stands below it. */
function whereWrong(id: string, issue: string | undefined) {
  return issue === undefined ? {} : { "aria-invalid": true, "aria-describedby": id };
}

export function Label({ field: { label, isRequired, otherwise } }: { field: Field }) {
  const rule = otherwise === undefined ? "may be left out" : `${otherwise} where left out`;
  return (
    <>
      {label}
      {!isRequired && <span class="quiet"> ({rule})</span>}
    </>
  );
}

function Description({ field: { description } }: { field: Field }) {
  return description === undefined ? null : <p class="quiet">{description}</p>;
}
