import { defineWorkflow } from "stepwell";
import { ExplorationFailed, explore, type ExploreOptions } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

/** A bank that books whatever it is asked for, once for each key. */
class Bank {
  readonly bookings: string[] = [];
  readonly #keys = new Set<string>();

  book(what: string, key?: string): string {
    if (key !== undefined && this.#keys.has(key)) return what;
    if (key !== undefined) this.#keys.add(key);
    this.bookings.push(what);
    return what;
  }
}

async function failureOf(exploration: Promise<unknown>): Promise<ExplorationFailed> {
  const failure = await exploration.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof ExplorationFailed) return failure;
  throw new Error("The exploration found nothing.", { cause: failure });
}

describe("an exploration of workflows that are wrong finds", () => {
  let bank = new Bank();
  const world = () => (bank = new Bank());
  const once: ExploreOptions<typeof careless, Bank>["check"] = (_, { bookings }) => {
    expect(bookings.filter((booking) => booking === "charge")).toHaveLength(1);
  };
  const careless = defineWorkflow({ name: "careless" }, ({ step }) => step.run("charge", () => bank.book("charge")));

  it("an effect without an idempotency key that happens twice", async () => {
    const failure = await failureOf(explore(careless, undefined, { world, check: once }));
    expect(failure.kind).toBe("check");
    expect(failure.schedule).toEqual(["crash after commit 1"]);
    expect(failure.message).toContain('schedule: ["crash after commit 1"]');
    expect(failure.cause).toBeInstanceOf(Error);
    expect(failure.journal.some((entry) => entry.includes("StepInterrupted"))).toBe(true);
  });

  it("the same again with the schedule that it gave", async () => {
    const { schedule } = await failureOf(explore(careless, undefined, { world, check: once }));
    const again = await failureOf(explore(careless, undefined, { world, check: once, schedule }));
    expect([again.kind, again.schedule, again.runs]).toEqual(["check", schedule, 2]);
  });

  it("an effect that comes late in its step", async () => {
    const slow = defineWorkflow({ name: "slow" }, ({ step }) =>
      step.run("charge", async () => {
        for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setTimeout(resolve, 0));
        return bank.book("charge");
      }),
    );
    const failure = await failureOf(explore(slow, undefined, { world, check: once, patience: "1m" }));
    expect(failure.kind).toBe("check");
    expect(failure.schedule).toHaveLength(1);
  });

  it("a compensation that happens twice", async () => {
    const saga = defineWorkflow({ name: "saga", errors: { NO_CAR: z.object({}) } }, async ({ step, errors }) => {
      await step.run(
        "book-flight",
        ({ idempotencyKey }) => bank.book("flight", idempotencyKey),
        () => bank.book("flight given back"),
      );
      throw errors.NO_CAR({});
    });
    const check = (_: unknown, { bookings }: Bank) => expect(bookings).toEqual(["flight", "flight given back"]);
    const failure = await failureOf(explore(saga, undefined, { world, check }));
    expect(failure.kind).toBe("check");
    expect(failure.schedule).toHaveLength(1);
  });

  it("a rollback besides a compensation by hand, which needs no fault", async () => {
    const twice = defineWorkflow({ name: "twice" }, async ({ step }) => {
      const refund = (key: string) => bank.book("refund", key);
      await step.run(
        "charge",
        ({ idempotencyKey }) => bank.book("charge", idempotencyKey),
        (_, { idempotencyKey }) => refund(idempotencyKey),
      );
      try {
        await step.run({ name: "ship", retryPolicy: { maximumAttempts: 1 } }, () => {
          throw new Error("no parcel");
        });
      } catch (error) {
        await step.run("refund", ({ idempotencyKey }) => refund(idempotencyKey));
        throw error;
      }
    });
    const check = (_: unknown, { bookings }: Bank) => expect(bookings).toEqual(["charge", "refund"]);
    const failure = await failureOf(explore(twice, undefined, { world, check }));
    expect([failure.kind, failure.schedule, failure.runs]).toEqual(["check", [], 1]);
    expect(failure.message).toContain("It happens without any fault");
  });

  it.each<[string, () => number | string]>([
    ["Date.now()", () => Date.now()],
    ["new Date()", () => new Date().getTime()],
    ["Date()", () => Date()],
    ["performance.now()", () => performance.now()],
    ["Math.random()", () => Math.random()],
    ["crypto.randomUUID()", () => crypto.randomUUID()],
  ])("code that uses %s outside a step, and where", async (what, use) => {
    const workflow = defineWorkflow({ name: "ambient" }, async ({ step, sleep }) => {
      await step.run("allowed", () => use());
      await sleep("1d");
      return typeof use();
    });
    const failure = await failureOf(explore(workflow, undefined));
    expect([failure.kind, failure.schedule]).toEqual(["ambient", []]);
    expect(failure.message).toContain(`uses ${what} outside a step`);
    expect(failure.message).toContain("explore-finds.test.ts");
    await explore(workflow, undefined, { ambient: "allow" });
  });

  it("code that decides by a clock of its own", async () => {
    let ticks = 0;
    const workflow = defineWorkflow({ name: "ticks" }, async ({ step }) => {
      ticks += 1;
      await step.run(ticks % 2 === 0 ? "even" : "odd", () => 1);
      await step.run("then", () => 2);
    });
    const failure = await failureOf(explore(workflow, undefined));
    expect(["outcome", "replay"]).toContain(failure.kind);
    expect(failure.message).toContain("JOURNAL_MISMATCH");
  });

  it("code that races a step against a timer", async () => {
    const workflow = defineWorkflow({ name: "foreign-timer" }, async ({ step }) => {
      const late = new Promise((resolve) => setTimeout(resolve, 1, "late"));
      return await Promise.race([step.run("ask", () => "asked"), late]);
    });
    const failure = await failureOf(explore(workflow, undefined));
    expect(failure.message).toContain("uses setTimeout() outside a step");
    const found = await failureOf(explore(workflow, undefined, { ambient: "allow" }));
    expect(["outcome", "replay"]).toContain(found.kind);
  });

  it("code that races a step against a promise of somebody else", async () => {
    const elsewhere = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return "elsewhere";
    };
    const pool = { ask: elsewhere };
    const workflow = defineWorkflow({ name: "foreign" }, async ({ step }) => {
      const winner = await Promise.race([step.run("ask", () => "step"), pool.ask()]);
      return await step.run(`tell-${winner}`, () => winner);
    });
    const failure = await failureOf(explore(workflow, undefined, { ambient: "allow" }));
    expect(["outcome", "replay"]).toContain(failure.kind);
  });

  it("a workflow that no attempt of a step may be lost of", async () => {
    const workflow = defineWorkflow({ name: "fragile", retryPolicy: { maximumAttempts: 1 } }, ({ step }) =>
      step.run("only-once", () => 1),
    );
    const failure = await failureOf(explore(workflow, undefined));
    expect(failure.kind).toBe("outcome");
    expect(failure.message).toContain("STEP_EXHAUSTED");
    await explore(workflow, undefined, { outcome: "any" });
  });

  it("a check that depends on which of two steps completes first", async () => {
    const order: string[] = [];
    const workflow = defineWorkflow({ name: "ordered" }, ({ step }) =>
      Promise.all(
        ["a", "b", "c"].map(async (name) => {
          await step.run(name, () => name);
          order.push(name);
        }),
      ),
    );
    const options: ExploreOptions<typeof workflow, object> = {
      world: () => {
        order.length = 0;
        return {};
      },
      check: () => expect(order.indexOf("b")).not.toBe(0),
      crashes: "none",
      evictions: "none",
    };
    const failure = await failureOf(explore(workflow, undefined, options));
    expect([failure.kind, failure.schedule]).toEqual(["check", ['complete ["b"]']]);
  });
});
