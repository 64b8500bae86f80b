import { useId } from "preact/hooks";
import { type Draft, draftOf } from "../model/form-draft.ts";
import type { Field } from "../model/form-field.ts";
import type { ValueForm } from "./use-form.ts";

/** The form for a value, with a switch to its JSON. */
export function ValueFormView({ form }: { form: ValueForm }) {
  const { field, mode, draft, text, issues, switchMode } = form;
  const id = useId();
  const isForm = mode.value === "form";
  return (
    <fieldset class="value-form">
      <legend>{field.label}</legend>
      {isForm ? (
        <FieldInput field={field} draft={draft.value} onChange={(next) => (draft.value = next)} isOutermost />
      ) : (
        <>
          <label for={id}>{field.label} as JSON</label>
          <textarea
            id={id}
            rows={8}
            spellcheck={false}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </>
      )}
      {issues.value.map(({ path, message }) => (
        <p key={path} class="issue" role="alert">
          {path === "" ? "It" : <code>{path}</code>} {message}.
        </p>
      ))}
      {field.kind !== "json" && (
        <button type="button" class="small" onClick={switchMode}>
          {isForm ? "Write JSON instead" : "Back to the form"}
        </button>
      )}
    </fieldset>
  );
}

interface InputProps<F extends Field = Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly isOutermost?: boolean;
}

type Kind<K extends Field["kind"]> = Extract<Field, { readonly kind: K }>;

function FieldInput({ field, draft, onChange, isOutermost = false }: InputProps) {
  switch (field.kind) {
    case "object":
      return <ObjectInput field={field} draft={draft} onChange={onChange} isOutermost={isOutermost} />;
    case "list":
      return <ListInput field={field} draft={draft} onChange={onChange} />;
    case "boolean":
    case "choice":
      return <ChoiceInput field={field} draft={draft} onChange={onChange} />;
    case "text":
    case "number":
    case "json":
      return <WrittenInput field={field} draft={draft} onChange={onChange} />;
  }
}

function ObjectInput({ field, draft, onChange, isOutermost }: InputProps<Kind<"object">>) {
  const parts = draft.kind === "parts" ? draft.parts : {};
  const inputs = field.fields.map(([name, inner]) => (
    <FieldInput
      key={name}
      field={inner}
      draft={parts[name] ?? draftOf(inner, undefined)}
      onChange={(next) => onChange({ kind: "parts", parts: { ...parts, [name]: next } })}
    />
  ));
  if (field.fields.length === 0) return <p class="quiet">It has no fields.</p>;
  if (isOutermost === true) return <>{inputs}</>;
  return (
    <fieldset>
      <legend>
        <Label field={field} />
      </legend>
      {inputs}
    </fieldset>
  );
}

function ListInput({ field, draft, onChange }: InputProps<Kind<"list">>) {
  const items = draft.kind === "items" ? draft.items : [];
  const set = (next: readonly Draft[]) => onChange({ kind: "items", items: next });
  return (
    <fieldset>
      <legend>
        <Label field={field} />
      </legend>
      {items.map((item, index) => (
        <div class="list-item" key={index}>
          <FieldInput
            field={{ ...field.item, label: `${field.label} ${index + 1}` }}
            draft={item}
            onChange={(next) => set(items.with(index, next))}
          />
          <button type="button" class="small" onClick={() => set(items.toSpliced(index, 1))}>
            Remove <span class="unseen">{`${field.label} ${index + 1}`}</span>
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => set([...items, draftOf(field.item, undefined)])}>
        Add
      </button>
    </fieldset>
  );
}

function ChoiceInput({ field, draft, onChange }: InputProps<Kind<"choice" | "boolean">>) {
  const id = useId();
  const choices =
    field.kind === "boolean"
      ? [
          ["true", "true"],
          ["false", "false"],
        ]
      : field.choices.map((choice, index) => [String(index), JSON.stringify(choice)]);
  return (
    <div class="field">
      <label for={id}>
        <Label field={field} />
      </label>
      <select
        id={id}
        value={draft.kind === "written" ? draft.text : ""}
        onChange={(event) => onChange({ kind: "written", text: event.currentTarget.value })}
      >
        <option value="">…</option>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <Description field={field} />
    </div>
  );
}

function WrittenInput({ field, draft, onChange }: InputProps<Kind<"text" | "number" | "json">>) {
  const id = useId();
  const text = draft.kind === "written" ? draft.text : "";
  const write = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange({ kind: "written", text: event.currentTarget.value });
  return (
    <div class="field">
      <label for={id}>
        <Label field={field} />
      </label>
      {field.kind === "json" ? (
        <textarea id={id} rows={4} spellcheck={false} value={text} onInput={write} placeholder="JSON" />
      ) : (
        <input
          id={id}
          value={text}
          onInput={write}
          autocomplete="off"
          inputMode={field.kind === "number" ? "decimal" : "text"}
        />
      )}
      <Description field={field} />
    </div>
  );
}

function Label({ field: { label, isRequired } }: { field: Field }) {
  return (
    <>
      {label}
      {!isRequired && <span class="quiet"> (may be left out)</span>}
    </>
  );
}

function Description({ field: { description } }: { field: Field }) {
  return description === undefined ? null : <p class="quiet">{description}</p>;
}
