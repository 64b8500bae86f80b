import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Attributes } from "../../src/journal/attributes.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const signals = { go: staticSchema<number>() };

async function attributeFacts(probe: Probe): Promise<readonly Attributes[]> {
  return (await probe.facts()).flatMap((fact) => (fact.type === "attributes" ? [fact.values] : []));
}

export function describeAttributes(makeHost: MakeHost): void {
  describe("attributes", () => {
    it("are those of the start, in the view and in the code", async () => {
      const workflow = defineWorkflow({ name: "given" }, async ({ execution }) => execution.attributes);
      const host = makeHost({ workflows: [workflow] });
      const attributes = { customer: "c-7", cents: 4_900, express: true };
      const probe = await host.start(workflow, { attributes });
      expect((await probe.view()).attributes).toEqual(attributes);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: attributes });
      expect((await (await host.start(workflow)).view()).attributes).toEqual({});
    });

    it("the latest value of each name wins and the others stay; a replay sets none again, and sees each as it was", async () => {
      const seen: string[] = [];
      const workflow = defineWorkflow(
        { name: "set", signals },
        async ({ execution, setAttributes, step, awaitSignal }) => {
          const see = () => seen.push(JSON.stringify(execution.attributes));
          setAttributes({ stage: "new", lines: 2 });
          see();
          await step.run("a", () => 1);
          setAttributes({ stage: "paid" });
          see();
          await awaitSignal("go");
          setAttributes({ stage: "shipped" });
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { attributes: { customer: "c", stage: "given" } });
      expect((await probe.view()).attributes).toEqual({ customer: "c", stage: "paid", lines: 2 });
      await probe.evict();
      expect((await probe.view()).attributes).toEqual({ customer: "c", stage: "paid", lines: 2 });
      await probe.ring();
      expect(await attributeFacts(probe)).toEqual([{ stage: "new", lines: 2 }, { stage: "paid" }]);
      await probe.signal("go", 1);
      expect((await probe.view()).attributes["stage"]).toBe("shipped");
      expect(await attributeFacts(probe)).toHaveLength(3);
      const first = ['{"customer":"c","stage":"new","lines":2}', '{"customer":"c","stage":"paid","lines":2}'];
      expect(seen.length).toBeGreaterThan(first.length);
      expect(seen).toEqual(Array.from({ length: seen.length / 2 }, () => first).flat());
    });

    it("a refused call throws, sets nothing, and does so on replay", async () => {
      const refusals: string[] = [];
      const workflow = defineWorkflow(
        { name: "refused", signals },
        async ({ setAttributes, setProgress, awaitSignal }) => {
          const refuse = (call: () => void) => {
            try {
              call();
              refusals.push("none");
            } catch (error) {
              refusals.push(error instanceof Error ? error.name : "no error");
            }
          };
          refuse(() => setAttributes({ when: new Date(0) as unknown as string }));
          refuse(() => setAttributes({ size: Number.NaN }));
          refuse(() => setProgress(() => 1));
          setAttributes(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, i])));
          refuse(() => setAttributes({ a20: 20 }));
          setAttributes({ a0: "again" });
          setProgress("half");
          await awaitSignal("go");
          setProgress("whole");
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const once = ["TypeError", "RangeError", "ValueFault", "RangeError"];
      expect(refusals).toEqual(once);
      const before = await attributeFacts(probe);
      expect(before).toHaveLength(2);
      await probe.evict();
      await probe.signal("go", 1);
      expect(refusals).toEqual([...once, ...once]);
      expect(await attributeFacts(probe)).toEqual(before);
      expect((await probe.facts()).filter(({ type }) => type === "progress")).toHaveLength(2);
      expect(await probe.view()).toMatchObject({ state: "completed", attributes: { a0: "again", a19: 19 } });
    });

    it("belong to the workflow's own code: in a step they throw", async () => {
      const workflow = defineWorkflow({ name: "inside" }, async ({ setAttributes, step }) => {
        return await step.run("x", () => {
          try {
            setAttributes({ a: 1 });
            return "set";
          } catch (error) {
            return String(error);
          }
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const value = expect.stringContaining("setAttributes() inside a step");
      expect(await probe.outcome()).toEqual({ kind: "completed", value });
      expect((await probe.view()).attributes).toEqual({});
    });

    it("set after a foreign await, with nothing after it, are kept over the loss of memory", async () => {
      const workflow = defineWorkflow({ name: "foreign", signals }, async ({ setAttributes, awaitSignal }) => {
        const go = awaitSignal("go");
        await host.delay(5);
        setAttributes({ late: true });
        await go;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(5);
      await probe.evict();
      expect((await probe.view()).attributes).toEqual({ late: true });
    });
  });
}
