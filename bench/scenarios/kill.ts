import { randomUUID } from "node:crypto";
import { measure, until, type Bench, type Scenario } from "../bench.ts";
import { pause } from "../program.ts";

const STEPS = 120;
const STEP_MS = 20;
const ATTEMPTS = 3;
const DELAY_MS = 2_000;
/** The lease of the slowest engine that was seen is half a minute. */
const GIVES_UP_MS = 40_000;
/** Two such waits, and what is killed has to start again. */
const PATIENCE_MS = 2 * GIVES_UP_MS + 30_000;

/** SIGKILL in mid-run and in a backoff, and nobody who helps afterwards. */
export const kill: Scenario = {
  letter: "F",
  title: "SIGKILL",
  async run(bench) {
    await inMidRun(bench);
    await inBackoff(bench);
  },
};

async function inMidRun(bench: Bench): Promise<void> {
  const again = new Map<string, number[]>();
  const bursts = new Map<string, number[]>();
  const { service } = bench;
  await measure(bench, {
    scenario: "F",
    what: "from the restart to the next step",
    unit: "ms",
    needs: ["paced"],
    patienceMs: PATIENCE_MS,
    rounds: bench.extent === "smoke" ? 1 : 3,
    async sample({ name, running }) {
      const path = `/ok/${randomUUID()}`;
      const seen = () => service.paths(path).length;
      const beganAt = Date.now();
      await running.begin({ kind: "paced", count: STEPS, url: service.url + path, stepMs: STEP_MS });
      await until(() => seen() >= STEPS / 4, "a quarter of the steps has to be done", GIVES_UP_MS);
      const burstMs = Date.now() - beganAt;
      await running.kill();
      const killedAt = seen();
      const hits = hitsOf(bench, path);
      await running.restart();
      const restartedAt = performance.now();
      await until(() => hitsOf(bench, path) > hits, "a step has to follow the restart", GIVES_UP_MS);
      const ms = performance.now() - restartedAt;
      await until(() => seen() === STEPS, "all steps have to follow the restart", GIVES_UP_MS);
      // The step that was under way may have been seen twice, and no other.
      const repeated = service.paths(path).filter((each) => service.hits(each).length > 1);
      const last = `${path}/${killedAt - 1}`;
      push(again, name, repeated.filter((each) => each !== last).length);
      push(bursts, name, burstMs);
      return ms;
    },
  });
  add(bench, { what: "completed steps that ran again", unit: "times", of: again });
  add(bench, { what: "age of the burst when it was killed", unit: "ms", of: bursts });
}

async function inBackoff(bench: Bench): Promise<void> {
  const attempts = new Map<string, number[]>();
  const { service } = bench;
  await measure(bench, {
    scenario: "F",
    what: "third attempt after its time, or the restart",
    unit: "ms",
    needs: ["hopeless"],
    patienceMs: PATIENCE_MS,
    rounds: bench.extent === "smoke" ? 1 : 3,
    async sample({ name, running }) {
      const path = `/no/${randomUUID()}`;
      const hits = () => service.hits(path);
      await running.begin({ kind: "hopeless", url: service.url + path, attempts: ATTEMPTS, delayMs: DELAY_MS });
      await until(() => hits().length === 2, "two attempts have to be made", GIVES_UP_MS);
      await pause(DELAY_MS / 4);
      await running.kill();
      await running.restart();
      const restartedAt = Date.now();
      await until(() => hits().length > 2, "the third attempt has to follow the restart", GIVES_UP_MS);
      // Another one would come after as long a backoff again.
      await pause(2 * DELAY_MS + 500);
      push(attempts, name, hits().length);
      const [, second = 0, third = 0] = hits();
      return third - Math.max(second + DELAY_MS, restartedAt);
    },
  });
  add(bench, { what: `attempts of a budget of ${ATTEMPTS}`, unit: "times", of: attempts });
}

function hitsOf({ service }: Bench, start: string): number {
  return service.paths(start).reduce((sum, path) => sum + service.hits(path).length, 0);
}

function push(of: Map<string, number[]>, name: string, value: number): void {
  of.set(name, [...(of.get(name) ?? []), value]);
}

function add(
  { figures }: Bench,
  { what, unit, of }: { readonly what: string; readonly unit: "times" | "ms"; readonly of: Map<string, number[]> },
): void {
  for (const [contestant, samples] of of) figures.add({ scenario: "F", what, contestant, unit, samples });
}
