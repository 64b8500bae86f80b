import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { ObjectHost } from "../support/object-host.ts";

const MIB = 1_024 * 1_024;
const MOST_BYTES = LIMITS.valueBytes;
const signals = { go: staticSchema<unknown>() };

/**
 * Whether a step's value is the same live and, in another life of the object, on replay. Equality is decided here:
 * a failed assertion would print megabytes.
 */
async function roundTrips(value: string | Uint8Array): Promise<readonly boolean[]> {
  const same: boolean[] = [];
  const workflow = defineWorkflow({ name: "values", signals }, async ({ step, awaitSignal }) => {
    const copy = await step.run("value", () => value);
    same.push(isSame(copy, value));
    await awaitSignal("go");
  });
  const host = new ObjectHost({ workflows: [workflow] });
  const probe = await host.start(workflow);
  await probe.evict();
  await probe.signal("go", true);
  expect((await probe.view()).state).toBe("completed");
  return same;
}

function isSame(a: unknown, b: string | Uint8Array): boolean {
  if (typeof b === "string") return a === b;
  return a instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The end of an execution whose one step gives this value. */
async function outcomeOfStep(value: unknown) {
  const workflow = defineWorkflow({ name: "one" }, async ({ step }) => {
    await step.run("value", () => value);
  });
  const probe = await new ObjectHost({ workflows: [workflow] }).start(workflow);
  const outcome = await probe.outcome();
  return outcome?.kind === "failed" ? outcome.code : outcome?.kind;
}

describe("large values in an object's storage", () => {
  it("case 101: come back from 8 MiB of text, live and on replay", async () => {
    expect(await roundTrips("x".repeat(LIMITS.valueBytes))).toEqual([true, true]);
  });

  it("case 101: come back from 8 MiB of bytes, live and on replay", async () => {
    const bytes = new Uint8Array(MOST_BYTES);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = (i * 31 + (i >> 8)) & 255;
    expect(await roundTrips(bytes)).toEqual([true, true]);
  });

  it.each([
    { what: "text", value: "x".repeat(LIMITS.valueBytes + 1) },
    { what: "bytes", value: new Uint8Array(MOST_BYTES + 1) },
  ])("case 101: are refused where they have one byte too many: $what", async ({ value }) => {
    expect(await outcomeOfStep(value)).toBe("VALUE_TOO_LARGE");
  });

  it("case 101: come back from a result of 2.1 MiB", async () => {
    const text = "x".repeat(2.1 * MIB);
    const workflow = defineWorkflow({ name: "result" }, async () => text);
    const probe = await new ObjectHost({ workflows: [workflow] }).start(workflow);
    await probe.evict();
    const outcome = await probe.outcome();
    expect(outcome?.kind === "completed" && outcome.value === text).toBe(true);
  });

  // Whatever the encoding puts in front: some alignment has the boundary of the parts at each byte of a character.
  it.each([0, 1, 2, 3])(
    "case 97: keep characters that the boundary of two parts cuts, %i bytes into the value",
    async (ahead) => {
      const lone = String.fromCharCode(0xd8_00);
      expect(await roundTrips("x".repeat(ahead) + "😀".repeat(0.6 * MIB))).toEqual([true, true]);
      expect(await roundTrips("x".repeat(ahead) + `é${lone}€`.repeat(0.25 * MIB))).toEqual([true, true]);
    },
  );

  it("case 101: come back from a signal of 2.1 MiB", async () => {
    const value = "€".repeat(0.7 * MIB);
    const taken: boolean[] = [];
    const workflow = defineWorkflow({ name: "signalled", signals }, async ({ awaitSignal }) => {
      const outcome = await awaitSignal("go");
      taken.push(outcome.value === value);
    });
    const host = new ObjectHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.evict();
    expect(await probe.signal("go", value)).toBe("accepted");
    expect(taken).toEqual([true]);
    const [received] = (await probe.facts()).filter(({ type }) => type === "signal-received");
    const found = await probe.object.inside((execution) => execution.value(received?.entry ?? -1));
    expect(found.kind === "value" && found.value === encodeValue(value, LIMITS.valueBytes)).toBe(true);
  });
});
