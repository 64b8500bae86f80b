import { stateOf } from "../../../journal/report.ts";
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { now } from "../data/clock.ts";
import { links, settings } from "../data/place.ts";
import { WatchedExecution } from "../data/watched-execution.ts";
import { loadWorkflows } from "../data/workflows.ts";
import type { History } from "../model/history.ts";
import { shownState } from "../model/shown-state.ts";
import { pastBefore } from "../model/past.ts";
import { sentenceOf } from "../model/sentence.ts";
import { closeWindow, wholeWindow, type Window } from "../model/timeline.ts";
import { type Act, ActDialog } from "../parts/acts.tsx";
import { ActBar } from "../parts/act-bar.tsx";
import { ConnectionSign } from "../parts/connection-sign.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { ExecutionFacts } from "../parts/execution-facts.tsx";
import { JournalList } from "../parts/journal-list.tsx";
import { OperationDetail } from "../parts/operation-detail.tsx";
import { SentenceView } from "../parts/sentence-view.tsx";
import { SignalList } from "../parts/signal-list.tsx";
import { Empty, Loading, Refusal, signOfState, State } from "../parts/texts.tsx";
import { TimeTravel } from "../parts/time-travel.tsx";
import { TimelineView } from "../parts/timeline-view.tsx";
import { ValueView } from "../parts/value-view.tsx";
import { FamilyList } from "../parts/family-list.tsx";

/** One execution: what it is doing, what it did, and what can be done about it. */
export function ExecutionPage({ workflow, id }: { workflow: string; id: string }) {
  const watched = useMemo(() => new WatchedExecution(workflow, id), [workflow, id]);
  useEffect(() => {
    void loadWorkflows();
    watched.start();
    return () => watched.stop();
  }, [watched]);
  const { journal } = watched;
  const version = journal.version.value;
  const refusal = journal.refusal.value;
  return (
    <main>
      <nav class="trail" aria-label="Where you are">
        <a href={links.list}>Executions</a> / <a href={`${links.list}?workflow=${workflow}`}>{workflow}</a> /
      </nav>
      <Heading watched={watched} />
      {refusal?.status === 404 ? (
        <Empty title="There is no such execution.">
          <p>
            Nothing of the workflow <code>{workflow}</code> has the id <code>{id}</code>. It may have been purged after
            its retention.
          </p>
          <a href={links.list}>To all executions</a>
        </Empty>
      ) : (
        <>
          <Refusal refusal={refusal} />
          {journal.entries.length === 0 ? (
            refusal === undefined && <Loading what="the journal" />
          ) : (
            <Body watched={watched} version={version} />
          )}
        </>
      )}
    </main>
  );
}

function Heading({ watched }: { watched: WatchedExecution }) {
  const { journal, view, id, workflow } = watched;
  void journal.version.value;
  const isKnown = journal.entries.length > 0;
  const state = shownState(stateOf(journal.past.state), view.value?.state);
  // Who has many tabs sees in each how it stands.
  const title = `${isKnown ? `${signOfState(state)} ` : ""}${id} · ${workflow} · Stepwell`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <header class="heading">
      <h1>{id}</h1>
      <CopyButton text={() => id} label="Copy id" />
      {isKnown && <State state={state} />}
      {journal.refusal.value?.status !== 404 && <ConnectionSign connection={journal.connection.value} />}
    </header>
  );
}

function Body({ watched, version }: { watched: WatchedExecution; version: number }) {
  const { journal, view } = watched;
  const shown = useSignal<number | undefined>(undefined);
  const picked = useSignal<number | undefined>(undefined);
  const act = useSignal<Act | undefined>(undefined);
  const looked = useComputed(() =>
    shown.value === undefined ? undefined : pastBefore(journal.entries, shown.value + 1),
  );
  const isNow = looked.value === undefined;
  const past = looked.value ?? journal.past;
  const { history } = past;
  const until = isNow && history.end === undefined ? now.value : (history.lastAt ?? now.value);
  const onAct = settings.mayChange ? (next: Act) => (act.value = next) : undefined;
  const onShow = (entry: number | undefined) => {
    shown.value = entry === undefined || entry >= journal.entries.length - 1 ? undefined : entry;
  };
  return (
    <>
      <SentenceView
        sentence={sentenceOf(past)}
        against={isNow ? now.value : until}
        onPick={(op) => (picked.value = op)}
      />
      {onAct !== undefined && <ActBar state={journal.past.state} input={journal.past.history.input} onAct={onAct} />}
      <ExecutionFacts past={past} view={isNow ? view.value : undefined} until={until} />
      <TimeTravel
        entries={journal.entries}
        history={journal.past.history}
        shown={shown.value}
        onShow={onShow}
        onFork={onAct && ((before) => onAct({ kind: "fork", before }))}
      />
      <Operations
        history={history}
        version={isNow ? version : -1 - (shown.value ?? 0)}
        until={until}
        whole={wholeWindow(journal.past.history, now.value)}
        picked={picked}
        onAct={onAct}
      />
      <FamilyList history={history} />
      <SignalList history={history} onSend={isNow && onAct ? (name) => onAct({ kind: "signal", name }) : undefined} />
      <Values history={history} />
      <JournalList
        entries={journal.entries}
        history={journal.past.history}
        fileName={`${watched.workflow}-${watched.id}.ndjson`}
        shown={shown.value}
        onShow={onShow}
      />
      {act.value !== undefined && (
        <ActDialog watched={watched} act={act.value} onClose={() => (act.value = undefined)} />
      )}
    </>
  );
}

interface OperationsProps {
  readonly history: History;
  readonly version: number;
  readonly until: number;
  readonly whole: Window;
  readonly picked: Signal<number | undefined>;
  readonly onAct: ((act: Act) => void) | undefined;
}

/** The timeline, and beside it what was picked there. */
function Operations({ history, version, until, whole, picked, onAct }: OperationsProps) {
  // Unless somebody has looked closer, all of it is in sight, also while it grows.
  const chosen = useSignal<Window | undefined>(undefined);
  const operation = picked.value === undefined ? undefined : history.operations[picked.value];
  const canFork = operation?.kind === "step" && onAct !== undefined;
  return (
    <div class={operation === undefined ? "" : "with-detail"}>
      <TimelineView
        chosen={chosen}
        history={history}
        version={version}
        until={until}
        whole={whole}
        picked={picked.value}
        onPick={(op) => (picked.value = op)}
      />
      {operation !== undefined && (
        <OperationDetail
          operation={operation}
          until={until}
          onClose={() => (picked.value = undefined)}
          onZoom={(spans) => (chosen.value = closeWindow(spans, until, whole))}
          onFork={canFork ? () => onAct({ kind: "fork", before: operation.name }) : undefined}
        />
      )}
    </div>
  );
}

function Values({ history: { input, progress, end } }: { history: History }) {
  return (
    <section class="values" aria-label="Input and outcome">
      <h2>Input and outcome</h2>
      <ValueView label="Input" value={input?.value} />
      {progress !== undefined && <ValueView label="Progress" value={progress.value} />}
      {end?.type === "completed" && <ValueView label="Value" value={end.value} />}
      {end?.type === "failed" && <ValueView label="Details of the failure" value={end.details} />}
    </section>
  );
}
