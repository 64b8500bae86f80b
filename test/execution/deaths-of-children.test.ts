import { describe, expect, it } from "vitest";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { every } from "../support/hits.ts";
import { MemoryHost } from "../support/memory-host.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";

const SECOND = 1_000;
const START = Date.UTC(2100, 0, 1);
const signals = { go: staticSchema<string>() };
const retryPolicy = every("1s", 9);

/** What steps did to the world, by name. */
let hits: Map<string, number>;

function hit(name: string): () => string {
  return () => {
    hits.set(name, (hits.get(name) ?? 0) + 1);
    return name;
  };
}

const part = defineWorkflow({ name: "part", input: staticSchema<string>(), signals }, async (context) => {
  const { input, step, awaitSignal, signalExecution, execution } = context;
  await step.run({ name: "first", retryPolicy }, hit(`${input} first`));
  if (execution.parent !== undefined && input === "asks") await signalExecution(execution.parent, "go", input);
  const { value } = await awaitSignal("go");
  return await step.run({ name: "last", retryPolicy }, hit(`${input} ${value}`));
});

const whole = defineWorkflow({ name: "whole", signals }, async (context) => {
  const { startExecution, awaitExecution, signalExecution, runExecution, awaitSignal, step, sleep } = context;
  const asking = await startExecution(part, "asks", { id: "asks" });
  const { value } = await awaitSignal("go");
  await step.run({ name: "between", retryPolicy }, hit("between"));
  const silent = await startExecution(part, "silent", { id: "silent" });
  await signalExecution(silent, "go", value);
  const unawaited = startExecution(part, "unawaited", { id: "unawaited" });
  await signalExecution(asking, "go", "answer");
  const outcomes = await Promise.all([awaitExecution(asking), awaitExecution(silent, { timeout: "1h" })]);
  await sleep("1s");
  const refused = await runExecution(part, "other", { id: "asks" }).catch((error: { code: string }) => error.code);
  return [outcomes, refused, (await unawaited).id];
});
const expected = {
  kind: "completed",
  value: [
    [
      { kind: "completed", value: "asks answer" },
      { kind: "completed", value: "silent asks" },
    ],
    "ID_CONFLICT",
    "unawaited",
  ],
};
const NAMES = ["whole/w", "part/asks", "part/silent", "part/unawaited"] as const;

interface Death {
  readonly name: string;
  /** Before which storage operation. */
  readonly operation: number;
  readonly how: "kill" | "evict";
}

async function run(deaths: readonly Death[]) {
  hits = new Map();
  const host = new MemoryHost({ workflows: [whole, part], now: START });
  host.faults.beforeWrite = (operation, _, object) => {
    for (const death of deaths) {
      if (death.name === object.name && death.operation === operation) object[death.how]();
    }
  };
  const object = host.object(whole, "w");
  // A client repeats its request until there is an execution.
  for (let tries = 0; tries < 5 && object.rows.length === 0; tries += 1) {
    await Promise.race([host.start(whole, { id: "w" }), object.death]);
    await host.settle();
  }
  // From here on nobody asks anything.
  await host.advance(600 * SECOND);
  return host;
}

/** All is as it would be without deaths; a step may have been called again whose outcome was not journaled. */
async function expectSameEnd(host: MemoryHost, deaths: readonly Death[], what: string): Promise<void> {
  expect(await host.get(whole, "w").outcome(), `after: ${what}`).toEqual(expected);
  const steps = ["between", "asks first", "asks answer", "silent first", "silent asks"];
  for (const step of steps) {
    const count = hits.get(step) ?? 0;
    expect([step, count >= 1 && count <= 1 + deaths.length], `after: ${what}`).toEqual([step, true]);
  }
  expect([...hits.keys()].filter((name) => name !== "unawaited first").toSorted(), `after: ${what}`).toEqual(
    steps.toSorted(),
  );
  expect(await host.get(part, "unawaited").outcome(), `after: ${what}`).toEqual({ kind: "cancelled" });
  for (const [name, object] of host.objects) {
    expect([name, object.alarm], `after: ${what}`).toEqual([name, wantedAlarm(object)]);
    expect([name, isAtRest(object), storedState(object).outbox.size], `after: ${what}`).toEqual([name, true, 0]);
  }
  expect([...host.objects.keys()].toSorted(), `after: ${what}`).toEqual([...NAMES].toSorted());
}

describe("executions that talk to each other", () => {
  it.each(["kill", "evict"] as const)("come to the same end wherever one of them dies: %s", async (how) => {
    const undisturbed = await run([]);
    await expectSameEnd(undisturbed, [], "undisturbed");
    for (const name of NAMES) {
      const operations = undisturbed.objects.get(name)?.operations ?? 0;
      expect(operations).toBeGreaterThan(4);
      for (let operation = 1; operation <= operations; operation += 1) {
        const deaths = [{ name, operation, how }];
        const host = await run(deaths);
        await expectSameEnd(host, deaths, `${name} dies before operation ${operation}`);
        // The steps of the others were called once.
        const owner = (step: string) => (step === "between" ? "whole/w" : `part/${step.split(" ")[0]}`);
        expect([...hits].filter(([step, count]) => owner(step) !== name && count !== 1)).toEqual([]);
      }
    }
  });

  it("come to the same end where several of them die, at any points, with messages lost on the way", async () => {
    let draw = 11;
    const next = (below: number) => {
      draw = (draw * 48_271) % 2_147_483_647;
      return draw % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const deaths = Array.from({ length: 1 + next(5) }, () => ({
        name: NAMES[next(NAMES.length)] ?? "whole/w",
        operation: 1 + next(40),
        how: next(2) === 0 ? ("kill" as const) : ("evict" as const),
      }));
      const host = await run(deaths);
      await expectSameEnd(host, deaths, `round ${round}: ${JSON.stringify(deaths)}`);
    }
  });

  it("case 158: continue whichever comes first, the end of the child or the wait for it", async () => {
    const quick = defineWorkflow({ name: "quick", input: staticSchema<number>() }, async ({ input }) => {
      for (let hop = 0; hop < input; hop += 1) await host.delay(0);
      return input;
    });
    const waits = defineWorkflow({ name: "waits", input: staticSchema<number[]>() }, async (context) => {
      const { input, startExecution, awaitExecution, step } = context;
      const [hops = 0, steps = 0] = input;
      const ref = await startExecution(quick, hops);
      for (let i = 0; i < steps; i += 1) await step.run("between", () => i);
      return await awaitExecution(executionRef(quick, ref.id));
    });
    const host = new MemoryHost({ workflows: [waits, quick], now: START });
    for (let hops = 0; hops < 6; hops += 1) {
      for (let steps = 0; steps < 6; steps += 1) {
        const probe = await host.start(waits, { input: [hops, steps] });
        await host.runToEnd();
        expect(await probe.outcome()).toEqual({ kind: "completed", value: { kind: "completed", value: hops } });
      }
    }
  });
});
