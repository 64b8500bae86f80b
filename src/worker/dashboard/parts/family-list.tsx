import { links } from "../data/place.ts";
import type { History } from "../model/history.ts";
import { State } from "./texts.tsx";

/** More than these stand in the timeline. */
const SHOWN = 50;

/** The executions that this one has started, awaited or sent something to. */
export function FamilyList({ history: { operations } }: { history: History }) {
  const others = operations.filter(({ execution }) => execution !== undefined);
  if (others.length === 0) return null;
  return (
    <section aria-label="Other executions">
      <h2>Other executions</h2>
      <ul class="family">
        {others.slice(0, SHOWN).map(({ op, kind, status, execution, isAdopted }) => (
          <li key={op}>
            <State state={status} />{" "}
            {kind === "child" ? (isAdopted ? "found" : "child") : kind === "execution" ? "awaits" : "message to"}{" "}
            {execution !== undefined && (
              <a href={links.execution(execution.workflow, execution.id)}>
                {execution.workflow}/{execution.id}
              </a>
            )}
          </li>
        ))}
      </ul>
      {others.length > SHOWN && <p class="quiet">and {others.length - SHOWN} more, as the timeline shows.</p>}
    </section>
  );
}
