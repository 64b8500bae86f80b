import { useMemo } from "preact/hooks";
import { LIMITS } from "../../../limits.ts";
import type { OperationHistory, Tries } from "../model/history.ts";
import { retryPlot } from "../model/retry-plot.ts";
import { lengthText } from "../model/time.ts";

export interface RetryPlotProps {
  readonly operation: Pick<OperationHistory, "policy" | "timeoutMs">;
  /** Of the step, or of its rollback. */
  readonly tries: Tries & { readonly endedAt: number | undefined };
}

/** How many attempts a policy allows, and when; and those that were made. */
export function RetryPlotView({
  operation: { policy, timeoutMs = LIMITS.attemptTimeoutDefaultMs },
  tries,
}: RetryPlotProps) {
  const isOver = tries.endedAt !== undefined;
  const { attempts, retryAt } = tries;
  const spans = tries.spans.length;
  const plot = useMemo(
    () => (policy === undefined ? undefined : retryPlot(tries, { policy, timeoutMs, isOver })),
    // What is in `tries` is changed in place.
    [tries, policy, timeoutMs, isOver, attempts, retryAt, spans],
  );
  if (plot === undefined || attempts === 0) return null;
  const { path, soonest, dots, most, lengthMs, isCut, sentences } = plot;
  return (
    <details class="retry-plot" open={attempts > 1}>
      <summary>What its retry policy allows</summary>
      <div class="plot" role="img" aria-label={sentences.slice(0, -1).join(" ")}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {soonest !== undefined && <path d={soonest} class="soonest" />}
          <path d={path} />
        </svg>
        {dots.map(({ attempt, left, bottom, how, afterMs }) => (
          <span
            key={`${attempt} ${afterMs}`}
            class={`dot-attempt dot-${how}`}
            style={{ left: `${left}%`, bottom: `${bottom}%` }}
            title={`Attempt ${attempt}, ${lengthText(afterMs)} after the first: ${how.replace("-", " ")}`}
          />
        ))}
        <span class="plot-most">{most}</span>
      </div>
      <p class="plot-axis quiet" aria-hidden="true">
        <span>0</span>
        <span>{isCut ? `the first ${most} attempts` : "attempts over time"}</span>
        <span>{lengthText(lengthMs)}</span>
      </p>
      <ul class="quiet">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
