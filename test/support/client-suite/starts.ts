import { describe, expect, it } from "vitest";
import { refusalOf } from "../refusal-of.ts";
import { order, tick } from "../client-workflows.ts";
import { INPUT, type Way } from "./way.ts";

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SECOND_MS = 1_000;

type Refused = readonly [
  name: string,
  start: { readonly workflow?: string; readonly input?: unknown; readonly [option: string]: unknown },
  refusal: readonly [status: number, code: string, path?: unknown],
];

function unfit(path: unknown): Refused[2] {
  return [422, "VALIDATION_ERROR", path];
}

function nested(levels: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

export function describeStarts(way: Way): void {
  const { client, freshId } = way;

  describe(`a start ${way.name}`, () => {
    it("creates an execution once; the same again is the same, another input is refused", async () => {
      const id = freshId();
      const one = await client.start(order, INPUT, { id });
      const same = await client.start<typeof order>("order", { lines: [{ cents: 4_900 }], sku: "lamp" }, { id });
      expect([one.id, one.created, same.id, same.created]).toEqual([id, true, id, false]);
      const refusal = await refusalOf(client.start(order, { sku: "desk" }, { id }));
      expect([refusal.status, refusal.code, refusal.problem.title]).toEqual([409, "ID_CONFLICT", "The id is taken"]);
    });

    it("without an id gets a UUID of version 7", async () => {
      const handles = await Promise.all([client.start(tick), client.start(tick)]);
      expect(handles.map(({ id, created }) => [UUID_7.test(id), created])).toEqual([
        [true, true],
        [true, true],
      ]);
      expect(handles[0]?.id).not.toBe(handles[1]?.id);
    });

    it("with a key alone is the same by that key, which determines the id", async () => {
      const idempotencyKey = `click ${freshId()}`;
      const one = await client.start(tick, undefined, { idempotencyKey });
      const again = await client.start(tick, undefined, { idempotencyKey });
      expect([one.id, one.created, again.id, again.created]).toEqual([again.id, true, one.id, false]);
      expect(one.id).toMatch(/^k-[\w-]{32}$/);
    });

    it("that waits has the outcome if there is one by then", async () => {
      const ended = await client.start(tick, undefined, { id: freshId(), wait: "10s" });
      expect(ended.outcome).toEqual({ kind: "completed", value: 1 });
      const startedAt = Date.now();
      const open = await client.start(order, INPUT, { id: freshId(), wait: "1s" });
      expect(open.outcome).toBeUndefined();
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SECOND_MS - 5);
    });

    it("has its terms: when it begins, its deadline and its attributes", async () => {
      const startAt = new Date(Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + 86_400_000);
      const budget = { attempts: 5 };
      const attributes = { customer: "c-7", express: true, lines: 2 };
      const handle = await client.start(tick, undefined, {
        id: freshId(),
        startAt,
        deadline: "2h",
        budget,
        attributes,
      });
      expect(await handle.status()).toMatchObject({
        state: "waiting",
        attributes,
        nextWakeAt: startAt.getTime(),
        deadlineAt: startAt.getTime() + 7_200_000,
        waitingFor: [{ kind: "start", until: startAt.getTime(), because: "startAt" }],
      });
      await handle.cancel();
      expect(await handle.awaitOutcome()).toEqual({ kind: "cancelled" });
    });

    it.each<Refused>([
      ["an input that does not fit", { input: { sku: "", lines: [{ cents: 1.5 }] } }, unfit("input.sku")],
      ["an input without a form", { input: { sku: () => "lamp" } }, unfit(".sku")],
      ["an input that is too deep", { input: nested(600) }, unfit(expect.any(String))],
      ["an input that is too large", { input: "x".repeat(9 * 1_024 * 1_024) }, [413, "VALUE_TOO_LARGE"]],
      ["an id of other characters", { id: "a/b" }, [422, "INVALID_ID"]],
      ["an id of dots", { id: ".." }, [422, "INVALID_ID"]],
      ["an id that is no text", { id: 5 }, unfit("id")],
      ["a start that is too far ahead", { startAt: 8e15 }, unfit("startAt")],
      ["a start that is no moment", { startAt: new Date(Number.NaN) }, unfit("startAt")],
      ["a deadline in months", { deadline: "1 month" }, unfit("deadline")],
      ["a budget of nothing", { budget: { attempts: 0 } }, unfit("budget")],
      ["attributes that are none", { attributes: { a: [1] } }, unfit("attributes")],
      ["an option that nobody knows", { colour: "red" }, unfit("colour")],
      ["a workflow that nobody has", { workflow: "nobody" }, [404, "NOT_FOUND"]],
    ])("is refused with %s", async (_name, { workflow = "order", input = INPUT, ...options }, [status, code, path]) => {
      const refusal = await refusalOf(client.start(workflow, input, { id: freshId(), ...options }));
      expect([refusal.status, refusal.code, refusal.issues?.[0]?.path]).toEqual([status, code, path]);
      expect(refusal.problem).toMatchObject({ status, code, detail: refusal.message });
    });

    it("is not sent where its signal has aborted", async () => {
      const id = freshId();
      const signal = AbortSignal.abort(new Error("not needed"));
      await expect(client.start(tick, undefined, { id, signal })).rejects.toThrow("not needed");
      expect((await refusalOf(client.get(tick, id).status())).code).toBe("NOT_FOUND");
    });
  });
}
