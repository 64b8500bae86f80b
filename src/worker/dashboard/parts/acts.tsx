import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import { ask, askLink } from "../data/ask.ts";
import { goTo, links } from "../data/place.ts";
import type { View, WatchedExecution } from "../data/watched-execution.ts";
import { workflowOf } from "../data/workflows.ts";
import type { JsonSchema } from "../model/form-field.ts";
import type { Shown } from "../model/history.ts";
import { Dialog } from "./dialog.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { useValueForm } from "./use-form.ts";
import { ValueFormView } from "./value-form.tsx";

/** What somebody is about to do to an execution. */
export type Act =
  | { readonly kind: "signal"; readonly name?: string | undefined }
  | { readonly kind: "cancel" | "terminate" | "pause" | "resume" | "purge" }
  | { readonly kind: "fork"; readonly before?: string | number | undefined }
  | { readonly kind: "again"; readonly input: unknown };

export interface ActDialogProps {
  readonly watched: WatchedExecution;
  readonly act: Act;
  readonly onClose: () => void;
}

/** Asks for what an act needs, and does it. */
export function ActDialog({ watched, act, onClose }: ActDialogProps) {
  switch (act.kind) {
    case "signal":
      return <SignalDialog watched={watched} name={act.name} onClose={onClose} />;
    case "fork":
      return <ForkDialog watched={watched} before={act.before} onClose={onClose} />;
    case "again":
      return <StartDialog workflow={watched.workflow} input={act.input} onClose={onClose} />;
    case "cancel":
    case "terminate":
    case "pause":
    case "resume":
      return <CommandDialog watched={watched} command={act.kind} onClose={onClose} />;
    case "purge":
      return <PurgeDialog watched={watched} onClose={onClose} />;
  }
}

const COMMANDS = {
  cancel: ["Cancel it", "Its code learns of it and may clean up. What it started is cancelled with it.", true],
  terminate: ["Terminate it", "It ends at once. Its code does not run again: no rollback, no cleaning up.", true],
  pause: ["Pause it", "Nothing starts any more until it is resumed. Attempts that are running end.", false],
  resume: ["Resume it", "It goes on where it was.", false],
} as const;

function CommandDialog({ watched, command, onClose }: CommandProps) {
  const reason = useSignal("");
  const id = useId();
  const [verb, consequence, isDangerous] = COMMANDS[command];
  const act = async () => {
    const body = reason.value.trim() === "" ? {} : { reason: reason.value.trim() };
    watched.view.value = await ask<View>(`${watched.path}/${command}`, { method: "POST", body });
  };
  return (
    <Dialog title={`${verb}?`} verb={verb} isDangerous={isDangerous} act={act} onClose={onClose}>
      <p>{consequence}</p>
      <div class="field">
        <label for={id}>
          Reason <span class="quiet">(may be left out)</span>
        </label>
        <input
          id={id}
          maxLength={1_024}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </div>
    </Dialog>
  );
}

interface CommandProps {
  readonly watched: WatchedExecution;
  readonly command: keyof typeof COMMANDS;
  readonly onClose: () => void;
}

function PurgeDialog({ watched, onClose }: Omit<ActDialogProps, "act">) {
  const act = async () => {
    await ask(watched.path, { method: "DELETE" });
    goTo(links.list);
  };
  return (
    <Dialog title="Delete it?" verb="Delete it" isDangerous act={act} onClose={onClose}>
      <p>The execution and its journal are purged now. This cannot be undone.</p>
    </Dialog>
  );
}

function ForkDialog({
  watched,
  before,
  onClose,
}: Omit<ActDialogProps, "act"> & { before: string | number | undefined }) {
  const newId = useSignal("");
  const id = useId();
  const act = async () => {
    const given = newId.value.trim();
    const body = { ...(given !== "" && { id: given }), ...(before !== undefined && { before }) };
    const view = await ask<View>(`${watched.path}/fork`, { method: "POST", body });
    goTo(links.execution(view.workflow, view.id));
  };
  const cut = typeof before === "number" ? `entry ${before}` : (before ?? "the end of its code");
  return (
    <Dialog title="Fork it?" verb="Fork" act={act} onClose={onClose}>
      <p>
        A new execution begins with a copy of the journal up to <strong>{cut}</strong>, and goes on from there with the
        code that is deployed now. This one stays as it is.
      </p>
      <div class="field">
        <label for={id}>
          Id of the new one <span class="quiet">(may be left out)</span>
        </label>
        <input id={id} value={newId.value} onInput={(event) => (newId.value = event.currentTarget.value)} />
      </div>
    </Dialog>
  );
}

function SignalDialog({ watched, name, onClose }: Omit<ActDialogProps, "act"> & { name: string | undefined }) {
  const workflow = workflowOf(watched.workflow, watched.view.peek()?.version);
  const declared = workflow?.signals ?? [];
  const chosen = useSignal(name ?? declared[0] ?? "");
  const value = useRef<() => unknown>(() => undefined);
  const id = useId();
  const act = async () => {
    const body = value.current() ?? null;
    await ask(`${watched.path}/signals/${encodeURIComponent(chosen.peek())}`, { method: "POST", body });
  };
  return (
    <Dialog title="Send a signal" verb="Send" act={act} onClose={onClose}>
      <div class="field">
        <label for={id}>Signal</label>
        {declared.length > 0 ? (
          <select id={id} value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {declared.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : (
          <input id={id} value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)} />
        )}
      </div>
      <SignalValue key={chosen.value} schema={workflow?.schemas.signals[chosen.value]} reader={value} />
    </Dialog>
  );
}

/** Another signal has another form. */
function SignalValue({ schema, reader }: { schema: JsonSchema | undefined; reader: RefObject<() => unknown> }) {
  const form = useValueForm(schema, { label: "Value" });
  reader.current = form.read;
  return <ValueFormView form={form} />;
}

/** What an execution was started with, a large input too. */
export async function readInput(input: Shown | undefined): Promise<unknown> {
  const value = input?.value;
  const isLink = typeof value === "object" && value !== null && "$value" in value && typeof value.$value === "string";
  return isLink ? await askLink(String(value.$value)) : value;
}
