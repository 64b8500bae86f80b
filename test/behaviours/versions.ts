import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const MINUTE_MS = 60_000;

function versionOf(version: string | undefined, hits: string[] = []) {
  const name = version ?? "none";
  const options = { name: "versioned", ...(version !== undefined && { version }) };
  return defineWorkflow(options, async ({ sleep, step, execution }) => {
    await step.run(`begin-${name}`, () => void hits.push(`begin-${name}`));
    await sleep("1m");
    return [execution.version ?? "none", await step.run("end", () => name)];
  });
}

export function describeVersions(makeHost: MakeHost): void {
  describe("versions of a workflow", () => {
    it("each execution stays on the version that it started with, or on the lack of one", async () => {
      const versions = [versionOf("1"), versionOf(undefined), versionOf("2")];
      const host = makeHost({ workflows: versions });
      const probes = [];
      for (const version of versions) probes.push(await host.start(version));
      for (const probe of probes) await probe.evict();
      await host.deploy({ workflows: versions.toReversed() });
      await host.advance(MINUTE_MS);
      const values = [];
      for (const probe of probes) values.push(await probe.outcome());
      expect(values).toEqual(["1", "none", "2"].map((name) => ({ kind: "completed", value: [name, name] })));
      expect((await probes[0]?.view())?.version).toBe("1");
      expect(await probes[1]?.view()).not.toHaveProperty("version");
    });

    it("case 188: S50 one whose version is not deployed is paused, stays so at a resume, and goes on once it is again", async () => {
      const hits: string[] = [];
      const first = versionOf("1", hits);
      const host = makeHost({ workflows: [first] });
      const probe = await host.start(first);
      await host.deploy({ workflows: [versionOf(undefined), versionOf("2")] });
      await host.advance(MINUTE_MS);
      const paused = { state: "paused", reason: { code: "VERSION_NOT_DEPLOYED" } };
      expect(await probe.view()).toMatchObject(paused);
      expect((await probe.view()).reason?.message).toContain("versioned is not deployed in version 1");
      expect(await probe.alarm()).toBeUndefined();
      await probe.command("resume");
      expect(await probe.view()).toMatchObject(paused);
      await host.deploy({ workflows: [first, versionOf("2")] });
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["1", "1"] });
      expect(hits).toEqual(["begin-1"]);
    });

    it("case 187: one without a version is not taken over by code that has one", async () => {
      const host = makeHost({ workflows: [versionOf(undefined)] });
      const probe = await host.start(versionOf(undefined));
      await host.deploy({ workflows: [versionOf("1")] });
      await host.advance(MINUTE_MS);
      expect((await probe.view()).reason?.message).toContain("versioned is not deployed without a version");
    });

    it("one that starts later pauses at its time, if its version is gone by then", async () => {
      const host = makeHost({ workflows: [versionOf("1")] });
      const probe = await host.start(versionOf("1"), { startAt: host.now() + MINUTE_MS });
      await host.deploy({ workflows: [versionOf("2")] });
      expect((await probe.view()).state).toBe("waiting");
      await host.advance(MINUTE_MS);
      expect((await probe.view()).reason?.code).toBe("VERSION_NOT_DEPLOYED");
      await host.deploy({ workflows: [versionOf("1"), versionOf("2")] });
      await probe.command("resume");
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["1", "1"] });
    });

    it("a cancel of one whose version is gone ends it: there is no code to tell", async () => {
      const host = makeHost({ workflows: [versionOf("1")] });
      const probe = await host.start(versionOf("1"));
      await host.deploy({ workflows: [versionOf("2")] });
      await host.advance(MINUTE_MS);
      expect((await probe.view()).state).toBe("paused");
      await probe.command("cancel");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect((await probe.facts()).findLast(({ type }) => type === "abandoned")).toMatchObject({
        ops: [{ op: 1, kind: "sleep", name: "sleep" }],
      });
    });

    it("case 77: case 193: changed code of the same version is a mismatch that names both sides and how to go on", async () => {
      const changed = (step: string) =>
        defineWorkflow({ name: "versioned", version: "1" }, async (context) => {
          await context.step.run(step, () => 1);
          await context.sleep("1m");
          return step;
        });
      const host = makeHost({ workflows: [changed("a")] });
      const probe = await host.start(changed("a"));
      await host.deploy({ workflows: [changed("b")] });
      await host.advance(MINUTE_MS);
      const { reason } = await probe.view();
      expect(reason?.code).toBe("JOURNAL_MISMATCH");
      for (const part of ["operation 0", "step a", "step b", "resume"]) expect(reason?.message).toContain(part);
      await host.deploy({ workflows: [changed("a")] });
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "a" });
    });
  });
}
