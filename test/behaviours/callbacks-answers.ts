import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { LOCAL_ORIGIN } from "../support/answering.ts";
import type { MakeHost } from "../support/host.ts";

const HOUR_MS = 3_600_000;
const origin = LOCAL_ORIGIN;
const Answer = z.object({ ok: z.boolean(), note: z.string().default("none") });

export function describeCallbackAnswers(makeHost: MakeHost): void {
  describe("answers to callbacks", () => {
    let url = "";
    const checked = defineWorkflow({ name: "checked" }, async ({ createCallback, step, sleep }) => {
      const callback = await createCallback({ name: "ask", schema: Answer });
      await step.run("mail", () => void (url = callback.url));
      await sleep("1h");
      const answer = await callback.result();
      return answer.received && answer.value;
    });

    it.each([false, true])(
      "that do not fit the schema are refused and use nothing up (evicted: %s)",
      async (evicts) => {
        const host = makeHost({ workflows: [checked] });
        const probe = await host.start(checked, { origin });
        const before = await probe.facts();
        for (const wrong of [{ ok: "yes" }, undefined, 5]) {
          if (evicts) await probe.evict();
          expect(await probe.answer(url, wrong, "k")).toBe("VALIDATION_ERROR");
        }
        expect(await probe.facts()).toEqual(before);
        if (evicts) await probe.evict();
        expect(await probe.answer(url, { ok: true, more: 1 }, "k")).toBe("answered");
        await host.runToEnd();
        expect(await probe.outcome()).toEqual({ kind: "completed", value: { ok: true, note: "none" } });
      },
    );

    it.each([false, true])("are checked in a pause as well, and told after it (evicted: %s)", async (evicts) => {
      const host = makeHost({ workflows: [checked] });
      const probe = await host.start(checked, { origin });
      await host.advance(HOUR_MS);
      await probe.command("pause");
      if (evicts) await probe.evict();
      expect(await probe.answer(url, { ok: 1 })).toBe("VALIDATION_ERROR");
      expect(await probe.answer(url, { ok: false })).toBe("answered");
      expect((await probe.view()).state).toBe("paused");
      expect((await probe.facts()).map(({ type }) => type).slice(-2)).toEqual(["paused", "callback-answered"]);
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { ok: false, note: "none" } });
    });

    it("wait for code that comes to the callback: without it they are refused for now, not used up", async () => {
      const host = makeHost({ workflows: [checked] });
      const probe = await host.start(checked, { origin });
      const other = defineWorkflow({ name: "other" }, async () => {});
      const stuck = defineWorkflow({ name: "checked" }, async () => await new Promise(() => {}));
      const unfit = defineWorkflow({ name: "checked" }, async ({ sleep }) => await sleep("1s"));
      const broken = defineWorkflow({ name: "checked" }, async () => {
        throw new Error("broken");
      });
      for (const deployed of [other, unfit, broken, stuck]) {
        await host.deploy({ workflows: [deployed] });
        const answer = probe.answer(url, { ok: true });
        // Code that waits for what is no operation is waited for, as long as a run may stall.
        if (deployed === stuck) for (const ms of [1, 20_000]) await host.advance(ms);
        expect(await answer).toBe("UNAVAILABLE");
      }
      await host.deploy({ workflows: [checked] });
      await probe.command("resume");
      expect(await probe.answer(url, { ok: true })).toBe("answered");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { ok: true, note: "none" } });
    });

    it("are checked by the schema of the present code; without a schema they are taken as they are", async () => {
      const host = makeHost({ workflows: [checked] });
      const versionOf = (schema: StandardSchemaV1 | undefined) =>
        defineWorkflow({ name: "checked" }, async ({ createCallback, step, sleep }) => {
          const callback = await createCallback({ name: "ask", schema });
          await step.run("mail", () => void (url = callback.url));
          await sleep("1h");
          return await callback.result();
        });
      const probe = await host.start(checked, { origin });
      await host.deploy({ workflows: [versionOf(z.number())] });
      expect(await probe.answer(url, { ok: true })).toBe("VALIDATION_ERROR");
      await host.deploy({ workflows: [versionOf(undefined)] });
      expect(await probe.answer(url, { any: [1] })).toBe("answered");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { received: true, value: { any: [1] } } });
      // One that had none when it was made has none later.
      const free = versionOf(undefined);
      const later = makeHost({ workflows: [free] });
      const second = await later.start(free, { origin });
      await later.deploy({ workflows: [versionOf(z.number())] });
      expect(await second.answer(url, "text")).toBe("answered");
    });

    it("may be checked by a schema that takes its time; one of two at the same time is taken", async () => {
      const slow: StandardSchemaV1<string> = {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: async (value) => {
            await Promise.resolve();
            return typeof value === "string" ? { value: `${value}!` } : { issues: [{ message: "no text" }] };
          },
        },
      };
      const patient = defineWorkflow({ name: "patient" }, async ({ createCallback, step }) => {
        const callback = await createCallback({ schema: slow });
        await step.run("mail", () => void (url = callback.url));
        return await callback.result();
      });
      const host = makeHost({ workflows: [patient] });
      const probe = await host.start(patient, { origin });
      expect(await probe.answer(url, 1)).toBe("VALIDATION_ERROR");
      const verdicts = await Promise.all([probe.answer(url, "a"), probe.answer(url, "b")]);
      expect(verdicts.toSorted()).toEqual(["CALLBACK_USED", "answered"]);
      const value = { received: true, value: verdicts[0] === "answered" ? "a!" : "b!" };
      expect(await probe.outcome()).toEqual({ kind: "completed", value });
    });

    it("S75 count once: the same key again is a duplicate, also after the end; any other is refused", async () => {
      const once = defineWorkflow({ name: "once" }, async ({ createCallback, step, sleep }) => {
        const callback = await createCallback({ timeout: "1h" });
        await step.run("mail", () => void (url = callback.url));
        await callback.result();
        await sleep("1s");
      });
      const host = makeHost({ workflows: [once] });
      const probe = await host.start(once, { origin });
      expect(await probe.answer(url, 1, "k")).toBe("answered");
      for (const ends of [false, true]) {
        if (ends) await host.runToEnd();
        await probe.evict();
        const facts = await probe.facts();
        expect(await probe.answer(url, 2, "k")).toBe("duplicate");
        expect(await probe.answer(url, 1, "other")).toBe("CALLBACK_USED");
        expect(await probe.answer(url, 1)).toBe("CALLBACK_USED");
        expect(await probe.facts()).toEqual(facts);
      }
    });

    it("come too late when the execution has ended, in whichever way, or is only rolling back", async () => {
      const ends = defineWorkflow<string, unknown>({ name: "ends" }, async ({ input, createCallback, step, sleep }) => {
        const callback = await createCallback();
        await step.run(
          { name: "mail", retryPolicy: { initialInterval: "1h" } },
          () => void (url = callback.url),
          () => {
            if (input === "rolls back") throw new Error("not yet");
          },
        );
        if (input === "cancelled") await sleep("1d");
        if (input !== "completed")
          await step.run({ name: "fail", retryPolicy: { maximumAttempts: 1 } }, () => Promise.reject(new Error("no")));
      });
      const host = makeHost({ workflows: [ends] });
      for (const input of ["completed", "failed", "cancelled", "rolls back"]) {
        const probe = await host.start(ends, { input, origin });
        if (input === "cancelled") await probe.command("cancel");
        expect((await probe.view()).state).toBe(input === "rolls back" ? "waiting" : input);
        expect(await probe.answer(url, 1)).toBe("CALLBACK_ENDED");
      }
    });

    it("reach no execution that has the id of a purged one", async () => {
      const again = defineWorkflow({ name: "again" }, async ({ createCallback, step, sleep }) => {
        const callback = await createCallback();
        await step.run("mail", () => void (url = callback.url));
        await sleep("1s");
      });
      const host = makeHost({ workflows: [again], retention: "1h" });
      await host.start(again, { id: "same", origin });
      const first = url;
      await host.advance(2 * HOUR_MS);
      const probe = await host.start(again, { id: "same", origin });
      expect(url).not.toBe(first);
      expect(await probe.answer(first, 1)).toBe("CALLBACK_ENDED");
      expect(await probe.answer(url, 1)).toBe("answered");
    });

    it("a cancellation reaches whoever awaits a callback, and the callback stays open to compensate", async () => {
      const cancelled = defineWorkflow({ name: "cancelled" }, async ({ createCallback, step, cancelled: is }) => {
        const callback = await createCallback();
        await step.run("mail", () => void (url = callback.url));
        try {
          return await callback.result();
        } catch (error) {
          return [is(error), await callback.result()];
        }
      });
      const host = makeHost({ workflows: [cancelled] });
      const probe = await host.start(cancelled, { origin });
      await probe.command("cancel");
      expect((await probe.view()).waitingFor).toMatchObject([{ kind: "callback", name: "callback#2" }]);
      await probe.evict();
      expect(await probe.answer(url, "undo")).toBe("answered");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, { received: true, value: "undo" }] });
    });

    it("in a pause the clock goes on: what is due first is told first, and what is too late stays so", async () => {
      const paused = defineWorkflow({ name: "paused" }, async ({ createCallback, step, sleep }) => {
        const a = await createCallback({ timeout: "10s" });
        await step.run("mail", () => void (url = a.url));
        const order: unknown[] = [];
        await Promise.all([
          a.result().then((answer) => order.push(answer)),
          sleep("3s").then(() => order.push("slept")),
        ]);
        return order;
      });
      for (const { afterMs, verdict, answer } of [
        { afterMs: 5_000, verdict: "answered", answer: { received: true, value: 1 } },
        { afterMs: 10_000, verdict: "CALLBACK_EXPIRED", answer: { received: false } },
      ]) {
        const host = makeHost({ workflows: [paused] });
        const probe = await host.start(paused, { origin });
        await probe.command("pause");
        await host.advance(afterMs);
        expect(await probe.answer(url, 1)).toBe(verdict);
        await host.advance(HOUR_MS);
        await probe.command("resume");
        expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", answer] });
      }
    });

    it("refuses a callback where no origin is known, or no secret, or the options are wrong", async () => {
      const refusals: unknown[] = [];
      const refused = defineWorkflow({ name: "refused" }, async ({ createCallback, step }) => {
        for (const options of [{}, { name: "" }, { name: 5 }, { timeout: "1 month" }, { schema: 5 }, { more: 1 }, 5]) {
          // The cast: callers may be JavaScript.
          await createCallback(options as { name: string }).catch((error: unknown) => refusals.push(error));
        }
        return await step.run("first", () => 1);
      });
      const host = makeHost({ workflows: [refused] });
      const probe = await host.start(refused);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
      const [unknown, ...others] = refusals as Error[];
      expect(OperationRefused.is(unknown) && unknown.code).toBe("NOT_CONFIGURED");
      expect(unknown?.message).toMatch(/publicUrl/);
      const fields = [
        "name",
        "name",
        "timeout",
        "schema",
        "the options of createCallback.more",
        "the options of createCallback",
      ];
      expect(others.map(({ message }) => message.split(" as ")[0])).toEqual(
        fields.map((field) => `Cannot use ${field}`),
      );
      expect((await probe.facts()).map(({ type }) => type)).toEqual([
        "started",
        "attempt-started",
        "step-completed",
        "completed",
      ]);
      refusals.length = 0;
      await host.start(refused, { origin: "https://flows.example.com" });
      expect(String(refusals[0])).toMatch(/STEPWELL_CALLBACK_KEY/);
    });
  });
}
