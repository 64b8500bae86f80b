import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type RequestRefused, refusalOf } from "../data/ask.ts";
import { links, settings } from "../data/place.ts";
import { Empty, Loading, Refusal, State, Time } from "../parts/texts.tsx";

interface Schedule {
  readonly name: string;
  readonly workflow: string;
  readonly cron: string;
  readonly timeZone?: string;
  readonly paused: boolean;
  readonly nextAt: number | null;
  readonly nextTimes: readonly number[];
  readonly lastStart?: {
    readonly workflow: string;
    readonly id: string;
    readonly at?: number;
    readonly purged?: boolean;
  };
}

const REFRESH_MS = 5_000;

/** What is started by the clock. */
export function SchedulesPage() {
  const schedules = useSignal<readonly Schedule[] | undefined>(undefined);
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const load = async () => {
    try {
      schedules.value = (await ask<{ schedules: readonly Schedule[] }>("/v1/schedules")).schedules;
      refusal.value = undefined;
    } catch (fault) {
      refusal.value = refusalOf(fault);
    }
  };
  useEffect(() => {
    document.title = "Schedules · Stepwell";
    void load();
    const timer = setInterval(() => void load(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const isAbsent = refusal.value?.status === 404 || schedules.value?.length === 0;
  return (
    <main>
      <header class="heading">
        <h1>Schedules</h1>
      </header>
      {isAbsent ? (
        <Empty title="Nothing is started by the clock." />
      ) : (
        <>
          <Refusal refusal={refusal.value} />
          {schedules.value === undefined && refusal.value === undefined && <Loading what="the schedules" />}
          {schedules.value?.map((schedule) => (
            <ScheduleCard key={schedule.name} schedule={schedule} onChange={load} />
          ))}
        </>
      )}
    </main>
  );
}

function ScheduleCard({ schedule, onChange }: { schedule: Schedule; onChange: () => Promise<void> }) {
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const tell = async (command: "pause" | "resume" | "trigger") => {
    try {
      await ask(`/v1/schedules/${encodeURIComponent(schedule.name)}/${command}`, { method: "POST", body: {} });
      refusal.value = undefined;
      await onChange();
    } catch (fault) {
      refusal.value = refusalOf(fault);
    }
  };
  const { name, workflow, cron, timeZone, paused, nextAt, nextTimes, lastStart } = schedule;
  return (
    <section class="card" aria-label={name}>
      <div class="bar">
        <h2>{name}</h2>
        {paused && <State state="paused" />}
        {settings.mayChange && (
          <div class="buttons">
            <button type="button" onClick={() => void tell(paused ? "resume" : "pause")}>
              {paused ? "Resume" : "Pause"}
            </button>
            <button type="button" onClick={() => void tell("trigger")}>
              Start now
            </button>
          </div>
        )}
      </div>
      <Refusal refusal={refusal.value} />
      <p>
        Starts <a href={`${links.list}?workflow=${workflow}`}>{workflow}</a> at <code>{cron}</code>
        {timeZone !== undefined && ` (${timeZone})`}.
      </p>
      {nextAt !== null && (
        <p>
          Next: <Time at={nextAt} />
          {nextTimes.slice(1, 4).map((at) => (
            <span key={at} class="quiet">
              , <Time at={at} form="clock" />
            </span>
          ))}
        </p>
      )}
      {lastStart !== undefined && lastStart.purged !== true && (
        <p>
          Last: <a href={links.execution(lastStart.workflow, lastStart.id)}>{lastStart.id}</a>
        </p>
      )}
    </section>
  );
}
