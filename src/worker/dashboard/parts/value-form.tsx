import { useId } from "preact/hooks";
import { type Draft, draftOf, joined } from "../model/form-draft.ts";
import { type InputProps, type Kind, ChoiceInput, Label, Select, WrittenInput } from "./field-control.tsx";
import { Issues, PartIssue } from "./field-issue.tsx";
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
        <Issues.Provider value={issues.value}>
          <FieldInput field={field} path="" draft={draft.value} onChange={(next) => (draft.value = next)} isOutermost />
        </Issues.Provider>
      ) : (
        <>
          <label for={id}>{field.label} as JSON</label>
          <textarea
            id={id}
            rows={8}
            spellcheck={false}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
            aria-invalid={issues.value.length > 0}
          />
          {issues.value.map(({ path, message }) => (
            <p key={path} class="issue" role="alert">
              It {message}.
            </p>
          ))}
        </>
      )}
      {field.kind !== "json" && (
        <button type="button" class="small" onClick={switchMode}>
          {isForm ? "Write JSON instead" : "Back to the form"}
        </button>
      )}
    </fieldset>
  );
}

function FieldInput({ isOutermost = false, ...props }: InputProps & { readonly isOutermost?: boolean }) {
  const { field, ...others } = props;
  switch (field.kind) {
    case "object":
      return <ObjectInput {...others} field={field} isOutermost={isOutermost} />;
    case "list":
      return <ListInput {...others} field={field} />;
    case "tuple":
      return <TupleInput {...others} field={field} />;
    case "record":
      return <RecordInput {...others} field={field} />;
    case "union":
      return <UnionInput {...others} field={field} />;
    case "boolean":
    case "choice":
      return <ChoiceInput {...others} field={field} />;
    case "text":
    case "number":
    case "json":
      return <WrittenInput {...others} field={field} />;
  }
}

function ObjectInput({
  field,
  path,
  draft,
  onChange,
  isOutermost,
}: InputProps<Kind<"object">> & { readonly isOutermost: boolean }) {
  const parts = draft.kind === "parts" ? draft.parts : {};
  const inputs = field.fields.map(([name, inner]) => (
    <FieldInput
      key={name}
      field={inner}
      path={joined(path, name)}
      draft={parts[name] ?? draftOf(inner, undefined)}
      onChange={(next) => onChange({ kind: "parts", parts: { ...parts, [name]: next } })}
    />
  ));
  if (field.fields.length === 0) return <p class="quiet">It has no fields.</p>;
  if (isOutermost) return <>{inputs}</>;
  return (
    <fieldset>
      <legend>
        <Label field={field} />
      </legend>
      {inputs}
    </fieldset>
  );
}

function ListInput({ field, path, draft, onChange }: InputProps<Kind<"list">>) {
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
            path={`${path}[${index}]`}
            draft={item}
            onChange={(next) => set(items.with(index, next))}
          />
          <Remove what={`${field.label} ${index + 1}`} onRemove={() => set(items.toSpliced(index, 1))} />
        </div>
      ))}
      <button type="button" class="small" onClick={() => set([...items, draftOf(field.item, undefined)])}>
        Add <span class="unseen">to {field.label}</span>
      </button>
    </fieldset>
  );
}

function TupleInput({ field, path, draft, onChange }: InputProps<Kind<"tuple">>) {
  const items = field.items.map((item, index) => {
    return (draft.kind === "items" ? draft.items[index] : undefined) ?? draftOf(item, undefined);
  });
  return (
    <fieldset>
      <legend>
        <Label field={field} />
      </legend>
      {field.items.map((item, index) => (
        <FieldInput
          key={index}
          field={item}
          path={`${path}[${index}]`}
          draft={items[index] ?? draftOf(item, undefined)}
          onChange={(next) => onChange({ kind: "items", items: items.with(index, next) })}
        />
      ))}
    </fieldset>
  );
}

function RecordInput({ field, path, draft, onChange }: InputProps<Kind<"record">>) {
  const id = useId();
  const pairs = draft.kind === "pairs" ? draft.pairs : [];
  const set = (next: readonly (readonly [string, Draft])[]) => onChange({ kind: "pairs", pairs: next });
  return (
    <fieldset>
      <legend>
        <Label field={field} />
      </legend>
      <PartIssue path={path} />
      {pairs.map(([key, inner], index) => (
        <div class="list-item" key={index}>
          <div class="pair">
            <div class="field">
              <label for={`${id}-${index}`}>Key {index + 1}</label>
              <input
                id={`${id}-${index}`}
                value={key}
                autocomplete="off"
                onInput={(event) => set(pairs.with(index, [event.currentTarget.value, inner]))}
              />
            </div>
            <FieldInput
              field={{ ...field.value, label: `Value ${index + 1}` }}
              path={joined(path, key)}
              draft={inner}
              onChange={(next) => set(pairs.with(index, [key, next]))}
            />
          </div>
          <Remove what={`key ${index + 1}`} onRemove={() => set(pairs.toSpliced(index, 1))} />
        </div>
      ))}
      <button type="button" class="small" onClick={() => set([...pairs, ["", draftOf(field.value, undefined)]])}>
        Add <span class="unseen">to {field.label}</span>
      </button>
    </fieldset>
  );
}

/** Which variant it is, and then the form of that one. */
function UnionInput({ field, path, draft, onChange }: InputProps<Kind<"union">>) {
  const variant = draft.kind === "variant" ? draft.variant : undefined;
  const chosen = variant === undefined ? undefined : field.variants[variant];
  const choose = (value: string) => {
    const next = value === "" ? undefined : field.variants[Number(value)];
    if (next === undefined) return onChange({ kind: "variant" });
    onChange({ kind: "variant", variant: Number(value), draft: draftOf(next, undefined) });
  };
  const none = ["", field.isRequired ? "choose …" : "not said"] as const;
  const isSaid = chosen?.kind === "choice" && chosen.choices.length === 1;
  return (
    <div class="union">
      <Select
        field={field}
        path={chosen === undefined ? path : undefined}
        value={variant === undefined ? "" : String(variant)}
        choices={[none, ...field.variants.map(({ label }, index) => [String(index), label] as const)]}
        onChoose={choose}
      />
      {chosen !== undefined && !isSaid && (
        <FieldInput
          key={variant}
          field={{ ...chosen, label: `${field.label}: ${chosen.label}` }}
          path={path}
          draft={(draft.kind === "variant" ? draft.draft : undefined) ?? draftOf(chosen, undefined)}
          onChange={(next) => onChange({ kind: "variant", variant: variant ?? 0, draft: next })}
        />
      )}
    </div>
  );
}

function Remove({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <button type="button" class="small" onClick={onRemove}>
      Remove <span class="unseen">{what}</span>
    </button>
  );
}
