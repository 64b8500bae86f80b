import * as z from "zod";
import type { Program } from "./programs.ts";
import type { Scope } from "./run-program.ts";
import type { World } from "./world.ts";

export async function runStep(
  step: Extract<Program, { readonly kind: "step" }>,
  path: string,
  scope: Scope,
): Promise<string> {
  const { context, world } = scope;
  return await context.step.run(
    {
      name: world.namesPlaces === true ? path : "work",
      retryPolicy: { initialInterval: 500, maximumAttempts: step.attempts, maximumDuration: "1h" },
    },
    async ({ attempt }) => {
      world.called?.(path, "step");
      world.hits.set(path, (world.hits.get(path) ?? 0) + 1);
      if (step.takesMs > 0) await world.delay(step.takesMs);
      if (attempt <= step.fails) throw new Error(`${path} ${attempt}`);
      return `${path} after ${attempt}`;
    },
    step.undoFails === undefined ? undefined : (value, { attempt }) => undo(value, attempt, { step, world }),
  );
}

/** The value is the step's own, and names its place. */
async function undo(
  value: string,
  attempt: number,
  { step, world }: { readonly step: Extract<Program, { readonly kind: "step" }>; readonly world: World },
): Promise<void> {
  const [place = ""] = value.split(" ");
  world.called?.(place, "rollback");
  world.hits.set(`undo ${place}`, (world.hits.get(`undo ${place}`) ?? 0) + 1);
  if (step.takesMs > 0) await world.delay(step.takesMs);
  if (attempt <= (step.undoFails ?? 0)) throw new Error(`undo ${place} ${attempt}`);
}

/** The query tells the service what to do; the keys that it gets are what `serviceOf` counts. */
export async function fetchStep(
  step: Extract<Program, { readonly kind: "fetch" }>,
  path: string,
  { context, world }: Scope,
): Promise<string> {
  const answer = await context.step.fetch(
    {
      name: world.namesPlaces === true ? path : "call",
      retryPolicy: { initialInterval: 500, maximumAttempts: step.attempts, maximumDuration: "1h" },
    },
    `http://${world.service ?? "service"}/?path=${path}&fails=${step.fails}&ends=${step.ends}`,
    { method: "POST" },
  );
  return `${answer.status} ${await answer.text()}`;
}

export async function awaitCallback(
  { timeoutMs, waits, hasSchema }: Extract<Program, { readonly kind: "callback" }>,
  { context, world }: Scope,
): Promise<string> {
  const schema = hasSchema ? z.number() : undefined;
  const { url, result } = await context.createCallback({ name: "link", timeout: timeoutMs, schema });
  world.urls.add(url);
  const answers: unknown[] = await Promise.all(Array.from({ length: waits }, () => result()));
  return `${url} ${JSON.stringify(answers)}`;
}
