import autocannon from "autocannon";
import type { AskedExecutions } from "./asked.ts";
import { roundOf, type Kind, type Told } from "./traffic.ts";

export interface TrafficOptions {
  /** Of the Worker, without a slash at its end. */
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly asked: AskedExecutions;
  readonly progress: (line: string) => void;
}

/** The answers of one kind. */
export interface Answers {
  readonly byStatus: Map<number, number>;
  /** Milliseconds, in the order in which they came. */
  readonly times: number[];
}

export interface Traffic {
  readonly answers: ReadonlyMap<Kind, Answers>;
  readonly seconds: number;
  readonly faults: string[];
}

/** An answer may wait for 30 seconds, and for its turn. */
const ANSWER_SECONDS = 60;
const PROGRESS_SECONDS = 5;

/** Requests over many connections, each with one at a time, for so long. */
export async function drive({ url, seconds, connections, asked, progress }: TrafficOptions): Promise<Traffic> {
  const answers = new Map<Kind, Answers>();
  const faults: string[] = [];
  // autocannon tells the answer and then its time, in one go.
  let told: Told | undefined;
  const requests = roundOf(asked, (one) => {
    told = one;
    if (one.fault !== undefined) faults.push(one.fault);
  });
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(
      { url, connections, duration: seconds, timeout: ANSWER_SECONDS, requests },
      (error, one) => (error === null || error === undefined ? resolve(one) : reject(error as Error)),
    );
    running.on("response", (...[, status, , ms]) => note(answers, { kind: told?.kind, status, ms }));
    let ticks = 0;
    running.on("tick", () => {
      ticks += 1;
      if (ticks % PROGRESS_SECONDS === 0)
        progress(`${ticks} s: ${countOf(answers)} answers, ${asked.all.length} executions`);
    });
  });
  if (result.errors > 0) faults.push(`${result.errors} connections failed, of which ${result.timeouts} timed out`);
  return { answers, seconds: result.duration, faults };
}

interface Timed {
  readonly kind: Kind | undefined;
  readonly status: number;
  readonly ms: number;
}

function note(answers: Map<Kind, Answers>, { kind, status, ms }: Timed): void {
  if (kind === undefined) throw new Error("An answer comes before its time.");
  const one = answers.get(kind) ?? { byStatus: new Map<number, number>(), times: [] };
  answers.set(kind, one);
  one.byStatus.set(status, (one.byStatus.get(status) ?? 0) + 1);
  one.times.push(ms);
}

export function countOf(answers: ReadonlyMap<Kind, Answers>): number {
  return [...answers.values()].reduce((sum, { times }) => sum + times.length, 0);
}
