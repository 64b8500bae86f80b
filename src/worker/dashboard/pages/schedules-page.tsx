import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ScheduleDocument } from "../../openapi/schedule-answers.ts";
import { ask, type RequestRefused, refusalOf } from "../data/ask.ts";
import { links, settings } from "../data/place.ts";
import { countText } from "../model/value-text.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Fact } from "../parts/fact.tsx";
import { Empty, Loading, Refusal, State, Time } from "../parts/texts.tsx";

const REFRESH_MS = 5_000;

/** What is started by the clock. */
export function SchedulesPage() {
  const schedules = useSignal<readonly ScheduleDocument[] | undefined>(undefined);
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const load = async () => {
    try {
      schedules.value = (await ask<{ schedules: readonly ScheduleDocument[] }>("/v1/schedules")).schedules;
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

function ScheduleCard({ schedule, onChange }: { schedule: ScheduleDocument; onChange: () => Promise<void> }) {
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const isTriggering = useSignal(false);
  const send = async (command: "pause" | "resume" | "trigger") => {
    await ask(`/v1/schedules/${encodeURIComponent(schedule.name)}/${command}`, { method: "POST", body: {} });
    refusal.value = undefined;
    await onChange();
  };
  const tell = async (command: "pause" | "resume") => {
    try {
      await send(command);
    } catch (fault) {
      refusal.value = refusalOf(fault);
    }
  };
  const { name, paused } = schedule;
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
            <button type="button" onClick={() => (isTriggering.value = true)}>
              Start now …
            </button>
          </div>
        )}
      </div>
      <Refusal refusal={refusal.value} />
      <ScheduleFacts schedule={schedule} />
      {isTriggering.value && (
        <Dialog
          title={`Start ${schedule.workflow} now?`}
          verb="Start it"
          act={async () => await send("trigger")}
          onClose={() => (isTriggering.value = false)}
        >
          <p>One execution is started with the input of the schedule. Its next times stay as they are.</p>
        </Dialog>
      )}
    </section>
  );
}

function ScheduleFacts({ schedule }: { schedule: ScheduleDocument }) {
  const { workflow, cron, timeZone, nextTimes, pending, lastRefused, lastSkippedAt, lastMissedAt } = schedule;
  return (
    <dl class="facts">
      <Fact term="Starts">
        <a href={`${links.list}?workflow=${workflow}`}>{workflow}</a> at <code>{cron}</code> in {timeZone}
      </Fact>
      {nextTimes.length > 0 && (
        <Fact term="Next">
          {nextTimes.slice(0, 3).map((at, index) => (
            <span key={at}>
              {index > 0 && ", "}
              <Time at={at} form={index === 0 ? "both" : "clock"} />
            </span>
          ))}
        </Fact>
      )}
      <LastStart schedule={schedule} />
      {pending.length > 0 && <Fact term="Not acknowledged yet">{countText(pending.length, "start")}</Fact>}
      {lastSkippedAt !== undefined && (
        <Fact term="Skipped, as one was running">
          <Time at={lastSkippedAt} />
        </Fact>
      )}
      {lastMissedAt !== undefined && (
        <Fact term="Missed">
          <Time at={lastMissedAt} />
        </Fact>
      )}
      {lastRefused !== undefined && (
        <Fact term="Refused">
          <Time at={lastRefused.at} /> {lastRefused.code}: {lastRefused.message}
        </Fact>
      )}
    </dl>
  );
}

function LastStart({ schedule: { lastStart } }: { schedule: ScheduleDocument }) {
  if (lastStart === undefined) return null;
  const { workflow, id, startedAt, outcome, purged } = lastStart;
  return (
    <Fact term="Last">
      {purged === true ? id : <a href={links.execution(workflow, id)}>{id}</a>} <Time at={startedAt} />{" "}
      {outcome !== undefined && <State state={outcome} />}
    </Fact>
  );
}
