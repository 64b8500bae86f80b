import { pause, quartersOf, visit, visitSlowly, type Program } from "../program.ts";

/** What every engine has, under whatever name. Names of steps are unique in an execution. */
export interface Steps {
  /** A step under the engine's own defaults. */
  readonly step: <T>(name: string, fn: () => Promise<T>) => Promise<T>;
  /** A step with so many attempts, and always the same backoff. */
  readonly retried: <T>(terms: Retried, fn: () => Promise<T>) => Promise<T>;
}

export interface Retried {
  readonly name: string;
  readonly attempts: number;
  readonly delayMs: number;
}

/** A program as another engine runs it. */
export async function runProgram(program: Program, { step, retried }: Steps): Promise<unknown> {
  switch (program.kind) {
    case "steps": {
      const times: number[] = [];
      for (let i = 0; i < program.count; i += 1) times.push(await step(`step-${i}`, async () => Date.now()));
      return quartersOf(times);
    }
    case "fetches":
      for (let i = 0; i < program.count; i += 1) await step(`step-${i}`, () => visit(program.url));
      return program.count;
    case "parallel": {
      const all = Array.from({ length: program.count }, (_, i) => step(`step-${i}`, async () => i));
      return (await Promise.all(all)).length;
    }
    case "retries": {
      const { delaysMs, url, bodyMs } = program;
      const all = delaysMs.map((delayMs, i) =>
        retried({ name: `step-${i}`, attempts: 2, delayMs }, async () => {
          await visitSlowly(`${url}/${i}`, bodyMs);
          return i;
        }),
      );
      return (await Promise.all(all)).length;
    }
    case "paced":
      for (let i = 0; i < program.count; i += 1) {
        await step(`step-${i}`, async () => {
          await visit(`${program.url}/${i}`);
          await pause(program.stepMs);
          return i;
        });
      }
      return program.count;
    case "hopeless": {
      const { attempts, delayMs, url } = program;
      return await retried({ name: "step", attempts, delayMs }, () => visit(url)).catch(() => "exhausted");
    }
    case "signalled":
    case "sleeper":
      throw new Error(`No ${program.kind} program is measured of it.`);
  }
}
