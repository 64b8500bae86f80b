import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { ask } from "../data/ask.ts";
import { goTo, links } from "../data/place.ts";
import type { View } from "../data/watched-execution.ts";
import { workflowOf } from "../data/workflows.ts";
import { Dialog } from "./dialog.tsx";
import { useValueForm } from "./use-form.ts";
import { ValueFormView } from "./value-form.tsx";

export interface StartDialogProps {
  readonly workflow: string;
  /** What the form holds at first. */
  readonly input?: unknown;
  readonly onClose: () => void;
}

/** Starts a new execution. */
export function StartDialog({ workflow, input, onClose }: StartDialogProps) {
  const given = useSignal("");
  const id = useId();
  const form = useValueForm(workflowOf(workflow)?.schemas.input, { label: "Input", initial: input });
  const act = async () => {
    const value = form.read();
    const wished = given.value.trim();
    const body = { ...(wished !== "" && { id: wished }), ...(value !== undefined && { input: value }) };
    const view = await ask<View>(`/v1/workflows/${workflow}/executions`, { method: "POST", body });
    goTo(links.execution(view.workflow, view.id));
  };
  return (
    <Dialog title={`Start ${workflow}`} verb="Start" act={act} onClose={onClose}>
      <div class="field">
        <label for={id}>
          Id <span class="quiet">(may be left out)</span>
        </label>
        <input
          id={id}
          value={given.value}
          autocomplete="off"
          onInput={(event) => (given.value = event.currentTarget.value)}
        />
      </div>
      <ValueFormView form={form} />
    </Dialog>
  );
}
