import { useEffect, useRef } from "preact/hooks";
import { now } from "../data/clock.ts";
import { keyOf, type DirectoryList } from "../data/directory-list.ts";
import { links } from "../data/place.ts";
import type { View } from "../data/watched-execution.ts";
import { progressOf } from "../model/progress.ts";
import type { ExecutionSummary } from "../../../journal/list.ts";
import { lengthText } from "../model/time.ts";
import { waitText } from "../model/wait-text.ts";
import { State, Time } from "./texts.tsx";

/** One execution in the list. */
export function ExecutionRow({ list, row }: { list: DirectoryList; row: ExecutionSummary }) {
  const element = useRef<HTMLAnchorElement>(null);
  const key = keyOf(row);
  useEffect(() => {
    if (element.current === null) return undefined;
    // While a page is busy several come together: the last one tells how it is.
    const observer = new IntersectionObserver((looks) => list.see(key, looks.at(-1)?.isIntersecting === true));
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      list.see(key, false);
    };
  }, [list, key]);
  const view = row.endedAt === undefined ? list.views.value.get(key) : undefined;
  const took = (row.endedAt ?? now.value) - row.startedAt;
  return (
    <li>
      <a class="execution-row" ref={element} href={links.execution(row.workflow, row.id)}>
        <State state={row.state} />
        <span class="who">
          <span class="id" title={row.id}>
            {row.id}
          </span>
          <span class="quiet">{row.workflow}</span>
          <Attributes attributes={row.attributes} />
        </span>
        <span class="doing">{row.endedAt === undefined ? <Doing view={view} /> : (row.code ?? "")}</span>
        <span class="when">
          <Time at={row.startedAt} form="relative" />
          <span class="quiet">
            <Time at={row.startedAt} form="clock" />
          </span>
        </span>
        <span class="took">{row.state === "paused" || took < 0 ? "" : lengthText(took)}</span>
      </a>
    </li>
  );
}

function Attributes({ attributes }: Pick<ExecutionSummary, "attributes">) {
  return (
    <>
      {Object.entries(attributes).map(([name, value]) => (
        <span key={name} class="attribute">
          {name}={String(value)}
        </span>
      ))}
    </>
  );
}

/** What it waits for, or why it stands, and how far it is. */
function Doing({ view }: { view: View | undefined }) {
  if (view === undefined) return null;
  const [wait, ...others] = view.waitingFor;
  const progress = progressOf(view.progress);
  return (
    <>
      {view.state === "paused" && view.reason !== undefined ? (
        <span class="reason">
          {view.reason.code !== "PAUSED" && <strong>{view.reason.code} </strong>}
          {view.reason.message}
        </span>
      ) : (
        wait !== undefined && <Wait wait={wait} others={others.length} />
      )}
      {progress !== undefined && (
        <span class="progress">
          {progress.share !== undefined && <meter min={0} max={1} value={progress.share} aria-label="Progress" />}
          {progress.text}
        </span>
      )}
    </>
  );
}

function Wait({ wait, others }: { wait: View["waitingFor"][number]; others: number }) {
  const { words, before, because } = waitText(wait);
  return (
    <span>
      {words}
      {wait.until !== undefined && (
        <>
          {before}
          <Time at={wait.until} form="relative" />
        </>
      )}
      {because !== undefined && <span class="quiet"> {because}</span>}
      {others > 0 && <span class="quiet">, and {others} more</span>}
    </span>
  );
}
