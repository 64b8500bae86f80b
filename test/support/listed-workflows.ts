import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { MemoryDirectory, type ReportFate } from "./memory-directory.ts";
import { MemoryHost, type MemoryHostOptions } from "./memory-host.ts";

export const quick = defineWorkflow({ name: "quick" }, async ({ step }) => await step.run("one", () => 1));
export const nap = defineWorkflow({ name: "nap" }, async ({ step, sleep }) => {
  await step.run("before", () => 1);
  await sleep("30 days");
  await step.run("after", () => 1);
});
export const listener = defineWorkflow(
  { name: "listener", signals: { go: staticSchema<number>() } },
  async ({ awaitSignal, setAttributes }) => {
    for (let heard = 1; ; heard += 1) {
      const { value } = await awaitSignal("go");
      setAttributes({ heard });
      if (value === 0) return heard;
      if (value < 0) throw new NonRetryableError("no", { code: "NEGATIVE" });
    }
  },
);
export const workflows = [quick, nap, listener];

/** A host with a directory, whose calls fare as it says. */
export function hostWith(fate?: (call: number) => ReportFate, options: Partial<MemoryHostOptions> = {}) {
  const directory = new MemoryDirectory();
  const host = new MemoryHost({ workflows, ...options, directory: { directory, ...(fate && { fate }) } });
  return { host, directory };
}
