import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { type RequestRefused, refusalOf } from "../data/ask.ts";
import { Refusal } from "./texts.tsx";

export interface DialogProps {
  readonly title: string;
  /** What the button does that goes on. */
  readonly verb: string;
  /** It cannot be undone. */
  readonly isDangerous?: boolean;
  /** Does it; what it throws is shown, and the dialog stays. */
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before something is done, and shows where that went wrong. */
export function Dialog({ title, verb, isDangerous = false, act, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const isActing = useSignal(false);
  useEffect(() => element.current?.showModal(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    isActing.value = true;
    refusal.value = undefined;
    try {
      await act();
      element.current?.close();
    } catch (fault) {
      refusal.value = refusalOf(fault);
      // Once it is drawn: a long form may have it out of sight.
      setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    } finally {
      isActing.value = false;
    }
  };
  return (
    <dialog ref={element} onClose={onClose} aria-labelledby={titleId}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <h2 id={titleId}>{title}</h2>
        {children}
        <Refusal refusal={refusal.value} />
        <div class="buttons">
          <button type="button" onClick={() => element.current?.close()}>
            Back
          </button>
          <button type="submit" class={isDangerous ? "dangerous" : "primary"} disabled={isActing.value}>
            {isActing.value ? "…" : verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}
