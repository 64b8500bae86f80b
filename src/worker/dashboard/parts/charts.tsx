import type { Statistics } from "../model/statistics.ts";
import { lengthText } from "../model/time.ts";

/** How often each code came. */
export function Bars({ bars }: { bars: Statistics["failures"] }) {
  const most = Math.max(...bars.map(({ count }) => count));
  return (
    <ul class="bars">
      {bars.map(({ code, count }) => (
        <li key={code}>
          <span class="code" title={code}>
            {code}
          </span>
          <span class="bar-track">
            <span class="bar-fill" style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <span>{count}</span>
        </li>
      ))}
    </ul>
  );
}

/** How long those that completed took: quantiles, and how they are spread. */
export function Durations({ durations, histogram }: Pick<Statistics, "durations" | "histogram">) {
  if (durations === undefined) {
    return (
      <div>
        <h3>Duration</h3>
        <p class="quiet">none has completed</p>
      </div>
    );
  }
  const { median, p90, p99 } = durations;
  return (
    <div>
      <h3>Duration</h3>
      <p class="figure">{lengthText(median)}</p>
      <p class="quiet">
        in the middle; 90 % within {lengthText(p90)}, 99 % within {lengthText(p99)}
      </p>
      {histogram.length > 0 && <Histogram histogram={histogram} />}
    </div>
  );
}

/** From the shortest to the longest. */
function Histogram({ histogram }: Pick<Statistics, "histogram">) {
  const most = Math.max(...histogram.map(({ count }) => count));
  const [first, last] = [histogram[0], histogram.at(-1)];
  return (
    <div aria-hidden="true">
      <div class="histogram">
        {histogram.map(({ fromMs, toMs, count }) => (
          <span
            key={fromMs}
            style={{ height: `${(count / most) * 100}%` }}
            title={`${count} took ${lengthText(fromMs)} to ${lengthText(toMs)}`}
          />
        ))}
      </div>
      <p class="histogram-ends quiet">
        <span>{lengthText(first?.fromMs ?? 0)}</span>
        <span>{lengthText(last?.toMs ?? 0)}</span>
      </p>
    </div>
  );
}
