import { RetryableError } from "workflow";
import { pause, quartersOf, visit, visitSlowly, type Program, type ProgramOf } from "../../program.ts";

/*
 * The programs in the form that this engine compiles: its steps are functions of a module that are given values, so the
 * common form, whose steps are closures, cannot be used. It says the same.
 */

async function timeStep(): Promise<number> {
  "use step";
  return Date.now();
}

async function indexStep(index: number): Promise<number> {
  "use step";
  return index;
}

async function visitStep(url: string): Promise<number> {
  "use step";
  return await visit(url);
}

async function pacedStep(url: string, stepMs: number): Promise<void> {
  "use step";
  await visit(url);
  await pause(stepMs);
}

interface Backoff {
  readonly url: string;
  readonly bodyMs: number;
  readonly delayMs: number;
}

async function twiceStep({ url, bodyMs, delayMs }: Backoff): Promise<void> {
  "use step";
  await visitSlowly(url, bodyMs).catch((error: unknown) => {
    throw new RetryableError(String(error), { retryAfter: delayMs });
  });
}
twiceStep.maxRetries = 1;

async function hopelessStep({ url, delayMs }: Backoff): Promise<void> {
  "use step";
  await visit(url).catch((error: unknown) => {
    throw new RetryableError(String(error), { retryAfter: delayMs });
  });
}
hopelessStep.maxRetries = 2;

export async function program(given: Program): Promise<unknown> {
  "use workflow";
  switch (given.kind) {
    case "steps": {
      const times: number[] = [];
      for (let i = 0; i < given.count; i += 1) times.push(await timeStep());
      return quartersOf(times);
    }
    case "fetches":
      for (let i = 0; i < given.count; i += 1) await visitStep(given.url);
      return given.count;
    case "parallel": {
      const all = Array.from({ length: given.count }, (_, i) => indexStep(i));
      return (await Promise.all(all)).length;
    }
    case "retries":
      return await retries(given);
    case "paced":
      for (let i = 0; i < given.count; i += 1) await pacedStep(`${given.url}/${i}`, given.stepMs);
      return given.count;
    case "hopeless":
      return await hopeless(given);
    case "signalled":
    case "sleeper":
      throw new Error(`No ${given.kind} program is measured of it.`);
  }
}

async function retries({ delaysMs, url, bodyMs }: ProgramOf<"retries">): Promise<number> {
  const all = delaysMs.map((delayMs, i) => twiceStep({ url: `${url}/${i}`, bodyMs, delayMs }));
  return (await Promise.all(all)).length;
}

async function hopeless({ url, attempts, delayMs }: ProgramOf<"hopeless">): Promise<string> {
  // The budget stands at the step, before anything runs.
  if (attempts !== hopelessStep.maxRetries + 1) throw new Error(`No budget of ${attempts} is measured of it.`);
  return await hopelessStep({ url, delayMs, bodyMs: 0 }).then(
    () => "completed",
    () => "exhausted",
  );
}
