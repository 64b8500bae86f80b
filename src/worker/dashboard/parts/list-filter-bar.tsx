import type { RefObject } from "preact";
import { EXECUTION_STATES, type ExecutionState } from "../../../journal/execution-state.ts";
import type { CountsDocument } from "../../openapi/answers.ts";
import {
  BETWEEN,
  changedFilter,
  changedPeriod,
  inputMoment,
  type ListFilter,
  momentInput,
  PERIODS,
} from "../model/list-filter.ts";
import { State } from "./texts.tsx";

export interface ListFilterBarProps {
  readonly filter: ListFilter;
  readonly counts: CountsDocument | undefined;
  readonly workflows: readonly string[];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onChange: (filter: ListFilter) => void;
}

/** Which executions are shown, with how many there are in each state. */
export function ListFilterBar({ filter, counts, workflows, search, onChange }: ListFilterBarProps) {
  return (
    <div class="filters">
      <StateButtons filter={filter} counts={counts} onChange={onChange} />
      <div class="searches">
        <label>
          <span class="unseen">Search</span>
          <input
            ref={search}
            type="search"
            placeholder="id, or attribute=value   ( / )"
            value={filter.search ?? ""}
            onInput={({ currentTarget: { value } }) => onChange(changedFilter(filter, "search", value))}
          />
        </label>
        <Choice
          label="Workflow"
          none="every workflow"
          value={filter.workflow}
          choices={workflows.map((name) => [name, name])}
          onChoose={(value) => onChange(changedFilter(filter, "workflow", value))}
        />
        <Choice
          label="Started"
          none="at any time"
          value={filter.since}
          choices={[
            ...Object.keys(PERIODS).map((period) => [period, `in the last ${period}`] as const),
            [BETWEEN, "between …"],
          ]}
          onChoose={(value) => onChange(changedPeriod(filter, value))}
        />
        {filter.since === BETWEEN && (
          <>
            <Moment
              label="From"
              value={filter.from}
              onChange={(from) => onChange(changedFilter(filter, "from", from))}
            />
            <Moment label="To" value={filter.to} onChange={(to) => onChange(changedFilter(filter, "to", to))} />
          </>
        )}
      </div>
    </div>
  );
}

function StateButtons({ filter, counts, onChange }: Pick<ListFilterBarProps, "filter" | "counts" | "onChange">) {
  const counted = filter.workflow === undefined ? counts?.total : counts?.workflows[filter.workflow];
  const choose = (state: ExecutionState | "") => onChange(changedFilter(filter, "state", state));
  return (
    <div class="states" role="group" aria-label="By state">
      <button type="button" aria-pressed={filter.state === undefined} onClick={() => choose("")}>
        all
      </button>
      {EXECUTION_STATES.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={filter.state === state}
          onClick={() => choose(filter.state === state ? "" : state)}
        >
          <State state={state} /> <span class="count">{counted?.[state] ?? "–"}</span>
        </button>
      ))}
    </div>
  );
}

interface MomentProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** By the clock of whoever looks at it. */
function Moment({ label, value, onChange }: MomentProps) {
  return (
    <label class="moment-input">
      <span class="quiet">{label}</span>
      <input
        type="datetime-local"
        value={momentInput(value)}
        onChange={(event) => onChange(inputMoment(event.currentTarget.value))}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** What stands there where nothing is chosen. */
  readonly none: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, none, value = "", choices, onChoose }: ChoiceProps) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{none}</option>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
