import { countSteps } from "../../../journal/view.ts";
import { links } from "../data/place.ts";
import type { View } from "../data/watched-execution.ts";
import type { Past } from "../model/past.ts";
import { lengthText } from "../model/time.ts";
import { Fact } from "./fact.tsx";
import { Time } from "./texts.tsx";

export interface ExecutionFactsProps {
  readonly past: Past;
  /** Where somebody looks at now. */
  readonly view: View | undefined;
  readonly until: number;
}

/** What else there is to know of an execution, in short. */
export function ExecutionFacts({ past: { state, history }, view, until }: ExecutionFactsProps) {
  const { started, end } = state;
  if (started === undefined) return null;
  const { parent, forkedFrom } = history;
  const counts = Object.entries(countSteps(state)).filter(([, count]) => count > 0);
  return (
    <dl class="facts">
      <Fact term="Started">
        <Time at={started.at} />
      </Fact>
      <Fact term={end === undefined ? "For" : "Took"}>{lengthText((end?.at ?? until) - started.at)}</Fact>
      {started.version !== undefined && <Fact term="Version">{started.version}</Fact>}
      <Fact term="Steps">
        {counts.length === 0 ? "none yet" : counts.map(([phase, count]) => `${count} ${phase}`).join(", ")}
      </Fact>
      <Fact term="Attempts">{state.attempts}</Fact>
      {view?.nextWakeAt !== undefined && (
        <Fact term={end === undefined ? "Wakes next" : "Purged"}>
          <Time at={view.nextWakeAt} />
        </Fact>
      )}
      {started.deadlineAt !== undefined && (
        <Fact term="Deadline">
          <Time at={started.deadlineAt} />
        </Fact>
      )}
      {parent !== undefined && (
        <Fact term="Parent">
          <a href={links.execution(parent.workflow, parent.id)}>
            {parent.workflow}/{parent.id}
          </a>
        </Fact>
      )}
      {forkedFrom !== undefined && (
        <Fact term="Forked from">
          <a href={links.execution(started.workflow, forkedFrom.id)}>{forkedFrom.id}</a> before entry {forkedFrom.entry}
        </Fact>
      )}
      {Object.entries(state.attributes).map(([name, value]) => (
        <Fact key={name} term={name}>
          {String(value)}
        </Fact>
      ))}
      {view !== undefined && (
        <Fact term="Used">
          {view.usage.rowsWritten} rows, {view.usage.entries} entries
        </Fact>
      )}
    </dl>
  );
}
