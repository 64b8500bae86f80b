import { RequestRefused } from "../client/errors.ts";
import type { AnyOutcome, JournalPage, Paged, Transport, Verbs } from "../client/transport.ts";
import type { DeployedWorkflow, ExecutionView, ScheduleView } from "../client/types.ts";
import type { Command, ExecutionView as ViewOnTheWire } from "../execution/wire.ts";
import type { ScheduleView as ScheduleOnTheWire } from "../execution/wire-schedules.ts";
import { decodeParsed } from "../journal/value.ts";
import { addressOf, granted, type Place } from "./addressed.ts";
import { commandExecution, readJournal, sendSignal, startExecution } from "./execution-requests.ts";
import { ask, tell } from "./execution-stub.ts";
import { countExecutions, listExecutions } from "./directory-requests.ts";
import { forkExecution } from "./fork-request.ts";
import { entryDocuments } from "./journal-document.ts";
import { problemDocument, problemOf } from "./problem.ts";
import { scheduleDocument } from "./schedule-document.ts";
import { commandSchedule, triggerSchedule, viewSchedules } from "./schedule-requests.ts";
import { executionPath, outcomeDocument, viewDocument } from "./view-document.ts";
import { workflowDocuments } from "./workflow-documents.ts";

type Answers = { readonly [Verb in keyof Verbs]: (request: Verbs[Verb][0]) => Promise<Verbs[Verb][1]> };

/** The way of a client inside the Worker: to the objects themselves, and with the checks and answers of the HTTP interface. */
export function workerTransport(place: Place): Transport {
  const answers = answersOf(place);
  return async (verb, request) => {
    try {
      return await answers[verb](request);
    } catch (fault) {
      const problem = problemOf(fault);
      const after = problem.headers["retry-after"];
      throw new RequestRefused(problemDocument(problem), after === undefined ? undefined : Number(after) * 1_000);
    }
  };
}

function answersOf(place: Place): Answers {
  const prefix = place.site.deployment.basePath ?? "";
  const presentation = { prefix, show: decodeParsed };
  // The cast: what is shown of a view is what a client makes of its document.
  const shown = (view: ViewOnTheWire) => viewDocument(view, presentation) as unknown as ExecutionView;
  const scheduled = (view: ScheduleOnTheWire) => scheduleDocument(view, prefix) as ScheduleView;
  const command = (name: Command) => async (request: Verbs[Command][0]) =>
    await commandExecution(addressOf(place, request), name, request.body);
  return {
    start: async ({ workflow, input, body, key, waitMs = 0 }) => {
      const sent = { document: { ...body, input }, valueOf: (part: unknown) => part };
      const { created, view } = await startExecution(place, { workflow, sent, key, waitMs });
      return { ...shown(view), created };
    },
    view: async (ref) => shown(granted(await ask(addressOf(place, ref), (port) => port.view())).view),
    result: async ({ waitMs = 0, ...ref }) => {
      const { view } = granted(await ask(addressOf(place, ref), (port) => port.result(waitMs)));
      // The cast: as above.
      return view.outcome && (outcomeDocument(view.outcome, presentation) as unknown as AnyOutcome);
    },
    signal: async ({ name, value, key, waitMs = 0, ...ref }) =>
      await sendSignal(addressOf(place, ref), { name, key, waitMs, value: async () => value }),
    cancel: command("cancel"),
    terminate: command("terminate"),
    pause: command("pause"),
    resume: command("resume"),
    delete: async (ref) => granted(await tell(addressOf(place, ref), (port) => port.purge())),
    journal: async ({ query, ...ref }) => {
      const address = addressOf(place, ref);
      const { entries, next } = await readJournal(address, textsOf(query));
      const path = `${executionPath(presentation.prefix, address.workflow, address.id)}/journal`;
      // The cast: as above.
      return { entries: entryDocuments(entries, path, presentation) as JournalPage["entries"], next };
    },
    fork: async ({ body, ...ref }) => shown((await forkExecution(addressOf(place, ref), body)).view),
    executions: async ({ query }) => await listExecutions(place, textsOf(query)),
    counts: async () => await countExecutions(place),
    // The casts: what is undefined is left out.
    workflows: async () => ({
      workflows: workflowDocuments(place.site.deployment, prefix) as readonly DeployedWorkflow[],
    }),
    schedules: async () => ({ schedules: (await viewSchedules(place)).map(scheduled) }),
    order: async ({ schedule: name, ...ordered }) =>
      scheduled((await commandSchedule(place, { name, command: ordered.command })).view),
    trigger: async ({ schedule, key }) => {
      const { workflow, id, answer } = await triggerSchedule(place, schedule, key);
      return { workflow, id, ...(answer.kind === "started" && { created: answer.created }) };
    },
  };
}

/** A query as a URL carries it. */
function textsOf(query: Paged["query"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value.valueOf())]])),
  );
}
