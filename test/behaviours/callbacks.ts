import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LOCAL_ORIGIN } from "../support/answering.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const origin = LOCAL_ORIGIN;

/** The URLs that a workflow's steps have given to somebody. */
class Mail {
  readonly urls: string[] = [];

  send(url: string): void {
    this.urls.push(url);
  }

  get last(): string {
    const url = this.urls.at(-1);
    if (url === undefined) throw new Error("No URL was sent.");
    return url;
  }
}

export function describeCallbacks(makeHost: MakeHost): void {
  describe("callbacks", () => {
    const mail = new Mail();
    const approval = defineWorkflow({ name: "approval" }, async ({ createCallback, step }) => {
      const callback = await createCallback({ name: "approval", timeout: "1h" });
      await step.run("mail", () => mail.send(callback.url));
      return await callback.result();
    });

    it.each([false, true])("give a URL whose answer is the result (evicted: %s)", async (evicts) => {
      const host = makeHost({ workflows: [approval] });
      const probe = await host.start(approval, { origin });
      expect(mail.last).toMatch(/^http:\/\/localhost:8787\/v1\/callbacks\/approval\./);
      expect((await probe.view()).waitingFor).toEqual([
        { kind: "callback", name: "approval", until: host.now() + HOUR_MS, because: "timeout" },
      ]);
      expect(await probe.alarm()).toBe(host.now() + HOUR_MS);
      if (evicts) await probe.evict();
      expect(await probe.answer(mail.last, { ok: true })).toBe("answered");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { received: true, value: { ok: true } } });
    });

    it("stand in the journal by their ids, without URL, token or secret", async () => {
      const host = makeHost({ workflows: [approval] });
      const probe = await host.start(approval, { origin });
      await probe.answer(mail.last, { ok: true }, "key-1");
      const token = new URL(mail.last).pathname.split("/").at(-1) ?? "";
      const signature = token.split(".").at(-1) ?? "";
      const journal = JSON.stringify(await probe.facts());
      expect(journal).not.toContain("/v1/callbacks");
      expect(journal).not.toContain(signature);
      expect(JSON.stringify(await probe.view())).not.toContain(signature);
      const at = host.now();
      const callback = token.split(".")[2];
      expect((await probe.facts()).filter(({ type }) => type.startsWith("callback"))).toEqual([
        {
          entry: 1,
          type: "callback-created",
          op: 0,
          kind: "callback",
          name: "approval",
          callback,
          dueAt: at + HOUR_MS,
          at,
        },
        { entry: 4, type: "callback-awaited", op: 2, kind: "callback-result", name: "approval", callback, at },
        { entry: 5, type: "callback-answered", callback, value: [{ ok: 1 }, true], key: "key-1", at },
        { entry: 6, type: "callback-taken", op: 2, at },
      ]);
    });

    it("are over when their time is up, counted from their creation; an answer then is too late", async () => {
      const late = defineWorkflow({ name: "late" }, async ({ createCallback, sleep, step }) => {
        const callback = await createCallback({ timeout: "10s" });
        await step.run("mail", () => mail.send(callback.url));
        await sleep("8s");
        const first = await callback.result();
        await sleep("1h");
        return [first, await callback.result()];
      });
      const host = makeHost({ workflows: [late] });
      const probe = await host.start(late, { origin });
      await host.advance(8 * SECOND_MS);
      expect(await probe.alarm()).toBe(host.now() + 2 * SECOND_MS);
      await host.advance(2 * SECOND_MS);
      expect((await probe.view()).waitingFor).toMatchObject([{ kind: "sleep" }]);
      expect(await probe.answer(mail.last, 1)).toBe("CALLBACK_EXPIRED");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [{ received: false }, { received: false }] });
    });

    it("are over at their very millisecond, however late the alarm rings, and not before", async () => {
      for (const { afterMs, verdict } of [
        { afterMs: HOUR_MS - 1, verdict: "answered" },
        { afterMs: HOUR_MS, verdict: "CALLBACK_EXPIRED" },
      ]) {
        const host = makeHost({ workflows: [approval] });
        const probe = await host.start(approval, { origin });
        await probe.spoilAlarm(host.now() + 24 * HOUR_MS);
        await host.advance(afterMs);
        expect(await probe.answer(mail.last, 1)).toBe(verdict);
        await host.runToEnd();
        const value = verdict === "answered" ? { received: true, value: 1 } : { received: false };
        expect(await probe.outcome()).toEqual({ kind: "completed", value });
      }
    });

    it.each([false, true])("may be answered before anybody awaits them (evicted: %s)", async (evicts) => {
      const busy = defineWorkflow({ name: "busy" }, async ({ createCallback, step, sleep }) => {
        const callback = await createCallback({ timeout: "5s" });
        await step.run("mail", () => mail.send(callback.url));
        await sleep("1h");
        return await callback.result();
      });
      const host = makeHost({ workflows: [busy] });
      const probe = await host.start(busy, { origin });
      expect(await probe.answer(mail.last, "early")).toBe("answered");
      // Its time takes no part in the next wake: nobody awaits it.
      expect(await probe.alarm()).toBe(host.now() + HOUR_MS);
      if (evicts) await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { received: true, value: "early" } });
    });

    it("give the one answer to every result, before and after it, also after a lost race", async () => {
      const several = defineWorkflow({ name: "several" }, async ({ createCallback, step, sleep }) => {
        const { result, url } = await createCallback();
        await step.run("mail", () => mail.send(url));
        const raced = await Promise.race([result(), sleep("1s").then(() => "slept")]);
        const both = await Promise.all([result(), result()]);
        await sleep("1s");
        return [raced, ...both, await result()];
      });
      const host = makeHost({ workflows: [several] });
      const probe = await host.start(several, { origin });
      await host.advance(SECOND_MS);
      await probe.evict();
      expect(await probe.answer(mail.last, [1])).toBe("answered");
      await host.runToEnd();
      const received = { received: true, value: [1] };
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", received, received, received] });
      const waits = (await probe.facts()).flatMap((fact) => (fact.type === "callback-awaited" ? [fact.name] : []));
      expect(waits).toEqual(["callback", "callback#2", "callback#3", "callback#4"]);
    });

    it("case 168: a result that lost a race takes the answer from nobody", async () => {
      const raced = defineWorkflow({ name: "raced" }, async ({ createCallback, step, sleep }) => {
        const callback = await createCallback();
        await step.run("mail", () => mail.send(callback.url));
        const winner = await Promise.race([callback.result(), sleep("1s").then(() => "slept")]);
        await sleep("1h");
        return [winner, await callback.result()];
      });
      const host = makeHost({ workflows: [raced] });
      const probe = await host.start(raced, { origin });
      await host.advance(2 * SECOND_MS);
      expect(await probe.answer(mail.last, "kept")).toBe("answered");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", { received: true, value: "kept" }] });
    });

    it("are told apart: by name, by id, and each by its own URL", async () => {
      const two = defineWorkflow({ name: "two" }, async ({ createCallback, step }) => {
        const [a, b] = await Promise.all([createCallback({ name: "ask" }), createCallback({ name: "ask" })]);
        await step.run("mail", () => [a, b].forEach(({ url }) => mail.send(url)));
        const answers = await Promise.all([b.result(), a.result()]);
        return [a.id === b.id, answers.map((answer) => answer.received && answer.value)];
      });
      const host = makeHost({ workflows: [two] });
      const probe = await host.start(two, { origin });
      const [first = "", second = ""] = mail.urls.slice(-2);
      expect(first).not.toBe(second);
      expect(await probe.answer(second, "b")).toBe("answered");
      await probe.evict();
      expect(await probe.answer(first, "a")).toBe("answered");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [false, ["b", "a"]] });
      expect(
        (await probe.facts()).flatMap((fact) => ("kind" in fact && fact.kind ? [`${fact.kind} ${fact.name}`] : [])),
      ).toEqual(["callback ask", "callback ask#2", "step mail", "callback-result ask#2", "callback-result ask"]);
    });

    it("are the same on every replay, at every point", async () => {
      const seen = new Map<string, Set<string>>();
      const replayed = defineWorkflow({ name: "replayed" }, async ({ createCallback, step, sleep, now }) => {
        const note = (place: string, value: unknown) =>
          seen.set(place, (seen.get(place) ?? new Set()).add(JSON.stringify(value)));
        const callback = await createCallback({ name: "ask", timeout: "1d" });
        note("created", [callback, now()]);
        await sleep("1s");
        note("slept", now());
        await step.run("mail", () => mail.send(callback.url));
        const answer = await callback.result();
        note("answered", [answer, now()]);
        await sleep("1s");
        return [answer, await callback.result()];
      });
      const host = makeHost({ workflows: [replayed] });
      const probe = await host.start(replayed, { origin });
      await probe.evict();
      await host.advance(SECOND_MS);
      await probe.evict();
      await probe.answer(mail.last, new Date(5));
      await probe.evict();
      await host.advance(SECOND_MS);
      const received = { received: true, value: new Date(5) };
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [received, received] });
      expect([...seen.values()].map((values) => values.size)).toEqual([1, 1, 1]);
    });

    it("cannot be made inside a step, nor be awaited there", async () => {
      const nested = defineWorkflow({ name: "nested" }, async ({ createCallback, step }) => {
        const callback = await createCallback();
        const codes: unknown[] = [];
        for (const act of [() => createCallback(), () => callback.result()]) {
          await step
            .run("inside", act as () => Promise<unknown>)
            .catch((error: { code: string }) => codes.push(error.code));
        }
        return codes;
      });
      const host = makeHost({ workflows: [nested] });
      const probe = await host.start(nested, { origin });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["NESTED_STEP", "NESTED_STEP"] });
    });
  });
}
