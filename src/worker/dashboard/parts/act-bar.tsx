import { useSignal } from "@preact/signals";
import type { State } from "../../../journal/state.ts";
import { type RequestRefused, refusalOf } from "../data/ask.ts";
import type { Shown } from "../model/history.ts";
import { type Act, readInput } from "./acts.tsx";
import { Refusal } from "./texts.tsx";

export interface ActBarProps {
  readonly state: State;
  readonly input: Shown | undefined;
  readonly onAct: (act: Act) => void;
}

/** What can be done to the execution as it is now. */
export function ActBar({ state, input, onAct }: ActBarProps) {
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const hasEnded = state.end !== undefined;
  const runAgain = async () => {
    try {
      onAct({ kind: "again", input: await readInput(input) });
      refusal.value = undefined;
    } catch (fault) {
      refusal.value = refusalOf(fault);
    }
  };
  return (
    <div class="acts" role="group" aria-label="What can be done">
      {!hasEnded && (
        <>
          <button type="button" onClick={() => onAct({ kind: "signal" })}>
            Signal …
          </button>
          {state.pause === undefined ? (
            <button type="button" onClick={() => onAct({ kind: "pause" })}>
              Pause …
            </button>
          ) : (
            <button type="button" class="primary" onClick={() => onAct({ kind: "resume" })}>
              Resume …
            </button>
          )}
        </>
      )}
      <button type="button" onClick={() => onAct({ kind: "fork" })}>
        Fork …
      </button>
      <button type="button" onClick={() => void runAgain()}>
        Run again …
      </button>
      {hasEnded ? (
        <button type="button" class="dangerous" onClick={() => onAct({ kind: "purge" })}>
          Delete …
        </button>
      ) : (
        <>
          <button type="button" class="dangerous" onClick={() => onAct({ kind: "cancel" })}>
            Cancel …
          </button>
          <button type="button" class="dangerous" onClick={() => onAct({ kind: "terminate" })}>
            Terminate …
          </button>
        </>
      )}
      <Refusal refusal={refusal.value} />
    </div>
  );
}
