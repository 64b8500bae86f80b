import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { History, Span } from "../model/history.ts";
import { failureText, SPAN_ENDS } from "../model/phrase.ts";
import { lengthText } from "../model/time.ts";
import {
  leftOf,
  panned,
  percent,
  placeOf,
  timelineRows,
  type TimelineRow,
  type Window,
  zoomed,
} from "../model/timeline.ts";
import { countText } from "../model/value-text.ts";
import { State } from "./texts.tsx";
import { Legend, TimelineHead } from "./timeline-head.tsx";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_HEIGHT = 32;
/** As many as there is room for. */
const tickCount = (isBesideDetails: boolean) => (isBesideDetails || innerWidth < 640 ? 4 : 8);
const STEP = 2;

export interface TimelineViewProps {
  /** What is looked at closely; nothing while all of it is in sight. */
  readonly chosen: Signal<Window | undefined>;
  readonly history: History;
  /** Changes with the history, which is changed in place. */
  readonly version: number;
  /** Up to when: the time of the last entry where somebody looks back, else now. */
  readonly until: number;
  /** All that there is to see, also of what comes after. */
  readonly whole: Window;
  readonly picked: number | undefined;
  readonly onPick: (op: number) => void;
}

/** What moves the window: nothing is chosen while all of it is in sight. */
function zooming(chosen: Signal<Window | undefined>, whole: Window) {
  const window = chosen.value ?? whole;
  const zoom = (factor: number, around = 0.5) => {
    const next = zoomed(window, factor, { around, whole });
    chosen.value = next.to - next.from >= whole.to - whole.from ? undefined : next;
  };
  const pan = (share: number) => (chosen.value = panned(window, share, whole));
  const turn = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, shareOf(event));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && chosen.value !== undefined) {
      event.preventDefault();
      pan(event.deltaX / 500);
    }
  };
  return { zoom, pan, turn };
}

/** Everything that was asked for, to scale: attempts, and the times between them. */
export function TimelineView({ chosen, history, version, until, whole, picked, onPick }: TimelineViewProps) {
  const rows = useMemo(() => timelineRows(history), [history, version]);
  const window = chosen.value ?? whole;
  const { zoom, pan, turn } = zooming(chosen, whole);
  const isWhole = chosen.value === undefined;
  const cut = history.end === undefined && until < whole.to ? leftOf(until, window) : undefined;
  const revealed = picked === undefined ? undefined : rows.findIndex(({ op }) => op === picked);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="bar">
        <h2>Timeline</h2>
        <span class="quiet">
          {countText(history.operations.length, "operation")}
          {history.rollbacks.length > 0 && `, ${countText(history.rollbacks.length, "rollback")}`}
        </span>
        <ZoomButtons
          isWhole={isWhole}
          onPan={pan}
          onZoom={(factor) => zoom(factor, factor > 1 ? (leftOf(until, window) ?? 0.5) : 0.5)}
          onFit={() => (chosen.value = undefined)}
        />
      </div>
      {rows.length === 0 ? (
        <p class="quiet">Its code has asked for nothing yet.</p>
      ) : (
        <div onWheel={turn} class="timeline-box">
          <VirtualRows
            label="Operations"
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            revealed={revealed}
            header={
              <TimelineHead
                history={history}
                window={window}
                until={until}
                cut={cut}
                most={tickCount(picked !== undefined)}
              />
            }
            row={(index) => {
              const row = rows[index];
              if (row === undefined) return null;
              return <Row row={row} window={window} until={until} isPicked={row.op === picked} onPick={onPick} />;
            }}
          />
        </div>
      )}
      <Legend history={history} />
    </section>
  );
}

interface ZoomButtonsProps {
  /** All of it is in sight. */
  readonly isWhole: boolean;
  readonly onPan: (share: number) => void;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

function ZoomButtons({ isWhole, onPan, onZoom, onFit }: ZoomButtonsProps) {
  return (
    <div class="buttons" role="group" aria-label="Zoom">
      <button type="button" disabled={isWhole} onClick={() => onPan(-0.5)} aria-label="Earlier">
        ←
      </button>
      <button type="button" disabled={isWhole} onClick={() => onPan(0.5)} aria-label="Later">
        →
      </button>
      <button type="button" disabled={isWhole} onClick={() => onZoom(1 / STEP)} aria-label="Zoom out">
        −
      </button>
      <button type="button" onClick={() => onZoom(STEP)} aria-label="Zoom in">
        +
      </button>
      <button type="button" disabled={isWhole} onClick={onFit}>
        Fit
      </button>
    </div>
  );
}

/** Where in the width of the bars the pointer is. */
function shareOf(event: WheelEvent): number {
  const track = event.currentTarget instanceof Element ? event.currentTarget.querySelector(".track") : null;
  if (track === null) return 0.5;
  const { left, width } = track.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / width));
}

interface RowProps {
  readonly row: TimelineRow;
  readonly window: Window;
  readonly until: number;
  readonly isPicked: boolean;
  readonly onPick: (op: number) => void;
}

function Row({ row, window, until, isPicked, onPick }: RowProps) {
  const { op, label, isRollback, status, spans, operation } = row;
  const mark = spans.length === 0 ? leftOf(operation.askedAt, window) : undefined;
  return (
    <button type="button" class="row" aria-pressed={isPicked} title={label} onClick={() => onPick(op)}>
      <span class="label">
        <State state={status} />
        <span class="name">
          {isRollback && (
            <>
              <span aria-hidden="true">↺ </span>
              <span class="unseen">Rollback of </span>
            </>
          )}
          {label}
        </span>
      </span>
      <span class="track">
        {spans.map((span) => (
          <Bar key={`${span.entry} ${span.kind}`} span={span} window={window} until={until} />
        ))}
        {mark !== undefined && <span class="moment" style={{ left: percent(mark) }} />}
      </span>
    </button>
  );
}

function Bar({ span, window, until }: { span: Span; window: Window; until: number }) {
  const place = placeOf(span, window, until);
  if (place === undefined) return null;
  const { left, width } = place;
  const isGoingOn = span.to === undefined;
  return (
    <span
      class={`span span-${span.kind} ${isGoingOn ? "going-on" : `ended-${span.ended}`}`}
      style={{ left: percent(left), width: percent(width) }}
      title={spanText(span, until)}
    />
  );
}

function spanText({ kind, from, to, ended, attempt, failure }: Span, until: number): string {
  const what = { attempt: `Attempt ${attempt}`, retry: "Waits for the next attempt", queued: "Queued", wait: "Waits" };
  const length = lengthText((to ?? until) - from);
  const how = to === undefined ? "so far" : SPAN_ENDS[ended ?? "done"];
  const why = failure === undefined ? "" : `\n${failureText(failure)}`;
  return `${what[kind]}: ${length}, ${how}${why}`;
}
