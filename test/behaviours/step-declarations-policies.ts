import { describe, expect, it } from "vitest";
import type { DeploymentOptions } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { StepOptions } from "../../src/steps/step-options.ts";
import type { MakeHost } from "../support/host.ts";
import { Hits } from "../support/hits.ts";

interface Levels {
  readonly deployment?: DeploymentOptions;
  readonly workflow?: { readonly retryPolicy?: RetryPolicy; readonly stepTimeout?: string };
  readonly step?: Omit<StepOptions, "name">;
  /** How long the test looks on. Default: until the step is spent. */
  readonly forMs?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export function describeStepPolicies(makeHost: MakeHost): void {
  describe("policies of steps", () => {
    /** When the attempts of a step that always fails start, under policies of three levels. */
    async function attemptsUnder({ deployment, workflow, step, forMs }: Levels): Promise<readonly number[]> {
      const flow = defineWorkflow({ name: "levels", ...(workflow as object) }, async ({ step: { run } }) => {
        await run(step === undefined ? "fails" : { name: "fails", ...step }, hits.failing("fails"));
      });
      const host = makeHost({ workflows: [flow], ...deployment });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      if (forMs === undefined) await host.runToEnd();
      else await host.advance(forMs);
      const { state } = await probe.view();
      expect(state).toBe(forMs === undefined ? "failed" : "waiting");
      return hits.at("fails");
    }

    it("S3 a step declared by its name alone runs under the deployment's policy, unchanged", async () => {
      const retryPolicy = { initialInterval: "5s", backoffCoefficient: 3, maximumAttempts: 3 };
      expect(await attemptsUnder({ deployment: { retryPolicy } })).toEqual([0, 5 * SECOND, 20 * SECOND]);
    });

    it("S3 a step declared by its name alone runs under the workflow's policy, completed from the deployment's", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { initialInterval: "5s", backoffCoefficient: 3, maximumAttempts: 7 } },
        workflow: { retryPolicy: { maximumAttempts: 2 } },
      });
      expect(times).toEqual([0, 5 * SECOND]);
    });

    it("S3 a step declared by its name alone has the workflow's timeout, else the deployment's", async () => {
      const hangs = async (levels: Levels): Promise<number> => {
        let abortedAt = Number.NaN;
        const options = { name: "hangs", retryPolicy: { maximumAttempts: 1 }, ...(levels.workflow as object) };
        const flow = defineWorkflow(options, async ({ step }) => {
          await step.run("hangs", async ({ signal }) => {
            signal.addEventListener("abort", () => {
              abortedAt = hits.now;
            });
            await host.delay(5 * MINUTE);
          });
        });
        const host = makeHost({ workflows: [flow], ...levels.deployment });
        const hits = new Hits(host);
        await host.start(flow);
        await host.runToEnd();
        return abortedAt;
      };
      expect(await hangs({})).toBe(60 * SECOND);
      expect(await hangs({ deployment: { stepTimeout: "7s" } })).toBe(7 * SECOND);
      expect(await hangs({ deployment: { stepTimeout: "7s" }, workflow: { stepTimeout: "3s" } })).toBe(3 * SECOND);
    });

    it("S7 maximumAttempts alone drops an inherited maximumDuration", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { maximumDuration: "2s", initialInterval: "10s" } },
        step: { retryPolicy: { maximumAttempts: 3 } },
      });
      expect(times).toEqual([0, 10 * SECOND, 30 * SECOND]);
    });

    it("S7 maximumDuration alone drops an inherited maximumAttempts", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { maximumAttempts: 2 } },
        step: { retryPolicy: { maximumDuration: "10s" } },
      });
      expect(times).toEqual([0, 1, 3, 7, 15].map((s) => s * SECOND));
    });

    it.each([[{}], [{ initialInterval: "2s" } as const]])(
      "S8 the policy %j keeps both inherited limits",
      async (retryPolicy) => {
        const spaced = { initialInterval: "2s", backoffCoefficient: 1 } as const;
        const byAttempts = { ...spaced, maximumAttempts: 3, maximumDuration: "1h" };
        const byDuration = { ...spaced, maximumAttempts: 100, maximumDuration: "5s" };
        const step = { retryPolicy };
        expect(await attemptsUnder({ deployment: { retryPolicy: byAttempts }, step })).toEqual([0, 2000, 4000]);
        expect(await attemptsUnder({ deployment: { retryPolicy: byDuration }, step })).toEqual([0, 2000, 4000, 6000]);
      },
    );

    it("S9 an initial interval over the inherited cap raises the cap to itself", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { maximumInterval: "1m" } },
        step: { retryPolicy: { initialInterval: "2m", maximumAttempts: 4 } },
      });
      expect(times).toEqual([0, 2 * MINUTE, 4 * MINUTE, 6 * MINUTE]);
    });

    it("S10 an explicit undefined is an absent field", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { initialInterval: "3s", maximumAttempts: 2, maximumDuration: "1h" } },
        step: {
          timeout: undefined,
          retryPolicy: { maximumAttempts: undefined, maximumDuration: undefined, initialInterval: undefined },
        },
      });
      expect(times).toEqual([0, 3 * SECOND]);
    });

    it("S18 a deployment policy of only maximumDuration leaves steps without an attempt limit", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { maximumDuration: "1h", maximumInterval: "10s" } },
        forMs: 10 * MINUTE,
      });
      expect(times.length).toBeGreaterThan(50);
    });

    it("S24 a policy that is given in part is completed from the levels below, field by field", async () => {
      const times = await attemptsUnder({
        deployment: { retryPolicy: { initialInterval: "2s", backoffCoefficient: 10, maximumAttempts: 9 } },
        workflow: { retryPolicy: { maximumInterval: "30s" } },
        step: { retryPolicy: { maximumAttempts: 4 } },
      });
      expect(times).toEqual([0, 2, 22, 52].map((s) => s * SECOND));
    });
  });
}
