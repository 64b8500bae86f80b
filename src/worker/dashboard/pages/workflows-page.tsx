import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type RequestRefused, refusalOf } from "../data/ask.ts";
import { links, settings } from "../data/place.ts";
import type { Workflow } from "../data/watched-execution.ts";
import { loadWorkflows, workflows, workflowsRefusal } from "../data/workflows.ts";
import type { ExecutionSummary } from "../../../journal/list.ts";
import { type Statistics, statisticsOf } from "../model/statistics.ts";
import { countText } from "../model/value-text.ts";
import { Bars, Durations } from "../parts/charts.tsx";
import { StartDialog } from "../parts/start-dialog.tsx";
import { Empty, Loading, Refusal } from "../parts/texts.tsx";
import { ValueView } from "../parts/value-view.tsx";

/** Executions that statistics are made of: one page of the directory, the newest. */
const RECENT = 100;

/** What is deployed, and how it has gone lately. */
export function WorkflowsPage() {
  useEffect(() => {
    document.title = "Workflows · Stepwell";
    void loadWorkflows();
  }, []);
  const found = workflows.value;
  const names = [...new Set(found?.map(({ name }) => name))];
  return (
    <main>
      <header class="heading">
        <h1>Workflows</h1>
      </header>
      <Refusal refusal={workflowsRefusal.value} />
      {found === undefined && workflowsRefusal.value === undefined && <Loading what="the workflows" />}
      {found?.length === 0 && <Empty title="No workflow is registered." />}
      {names.map((name) => (
        <WorkflowCard key={name} name={name} versions={found?.filter((each) => each.name === name) ?? []} />
      ))}
    </main>
  );
}

function WorkflowCard({ name, versions }: { name: string; versions: readonly Workflow[] }) {
  const isStarting = useSignal(false);
  const latest = versions.at(-1);
  const named = versions.flatMap(({ version }) => (version === undefined ? [] : [version]));
  return (
    <section class="card" aria-label={name}>
      <div class="bar">
        <h2>{name}</h2>
        {named.length > 0 && <span class="quiet">versions {named.join(", ")}; the last one starts</span>}
        <div class="buttons">
          <a href={`${links.list}?workflow=${name}`}>Executions</a>
          {settings.mayChange && (
            <button type="button" class="primary" onClick={() => (isStarting.value = true)}>
              Start …
            </button>
          )}
        </div>
      </div>
      <Recent name={name} />
      {latest !== undefined && <Schemas workflow={latest} />}
      {isStarting.value && <StartDialog workflow={name} onClose={() => (isStarting.value = false)} />}
    </section>
  );
}

/** How its latest executions went. */
function Recent({ name }: { name: string }) {
  const statistics = useSignal<Statistics | undefined>(undefined);
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  useEffect(() => {
    const aborted = new AbortController();
    const load = async () => {
      try {
        const path = `/v1/executions?workflow=${name}&limit=${RECENT}`;
        const { executions } = await ask<{ executions: readonly ExecutionSummary[] }>(path, { signal: aborted.signal });
        statistics.value = statisticsOf(executions);
      } catch (fault) {
        if (!aborted.signal.aborted) refusal.value = refusalOf(fault);
      }
    };
    void load();
    return () => aborted.abort();
  }, [name, refusal, statistics]);
  if (refusal.value?.status === 404) return <p class="quiet">Without a directory nothing is known of how it went.</p>;
  if (refusal.value !== undefined) return <Refusal refusal={refusal.value} />;
  if (statistics.value === undefined) return <Loading what="its executions" />;
  const { count, successRate, durations, histogram, failures } = statistics.value;
  if (count === 0) return <p class="quiet">Nothing of it has been started yet.</p>;
  return (
    <div class="charts">
      <div>
        <h3>Success</h3>
        <p class="figure">{successRate === undefined ? "–" : `${Math.round(successRate * 100)} %`}</p>
        <p class="quiet">of those that completed or failed, among the latest {count}</p>
      </div>
      <Durations durations={durations} histogram={histogram} />
      <div>
        <h3>Failures</h3>
        {failures.length === 0 ? <p class="quiet">none</p> : <Bars bars={failures} />}
      </div>
    </div>
  );
}

function Schemas({ workflow: { schemas, signals, errors } }: { workflow: Workflow }) {
  return (
    <details>
      <summary>
        Schemas, {countText(signals.length, "signal")}, {countText(errors.length, "error")}
      </summary>
      <ValueView label="Input" value={schemas.input} />
      <ValueView label="Output" value={schemas.output} />
      {signals.map((name) => (
        <ValueView key={name} label={`Signal ${name}`} value={schemas.signals[name]} />
      ))}
      {errors.map((code) => (
        <ValueView key={code} label={`Error ${code}`} value={schemas.errors[code]} />
      ))}
    </details>
  );
}
