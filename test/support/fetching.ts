import type { DeploymentOptions } from "../../src/execution/deployment.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { MemoryProbe } from "./memory-host.ts";
import { MemoryHost } from "./memory-host.ts";

/** An execution whose steps talk to a real service, by a clock that moves only when nothing is under way. */
export interface Fetching {
  readonly host: MemoryHost;
  readonly probe: MemoryProbe;
  /** What the workflow gave or threw, as its code saw it. */
  readonly seen: { readonly value?: unknown; readonly error?: unknown };
}

/** Starts a workflow of one thing and waits for nothing. */
export async function startFetching(
  work: (context: WorkflowContext) => Promise<unknown>,
  options: DeploymentOptions & { readonly now?: number } = {},
): Promise<Fetching> {
  const seen: { value?: unknown; error?: unknown } = {};
  const flow = defineWorkflow({ name: "fetching" }, async (context) => {
    try {
      seen.value = await work(context);
    } catch (error) {
      seen.error = error;
      throw error;
    }
  });
  const host = new MemoryHost({ ...options, workflows: [flow] });
  return { host, probe: await host.start(flow), seen };
}

/** Waits until no attempt is in flight. */
export async function quiet({ probe }: Fetching): Promise<void> {
  while ((await probe.view()).steps.running > 0) await nextRound();
}

/** Waits for something that a real connection brings. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextRound();
}

/** Runs an execution to its end; the clock stands while requests are under way. */
export async function runFetching(
  work: (context: WorkflowContext) => Promise<unknown>,
  options: DeploymentOptions & { readonly now?: number } = {},
): Promise<Fetching> {
  const fetching = await startFetching(work, options);
  await finish(fetching);
  return fetching;
}

export async function finish(fetching: Fetching): Promise<void> {
  const { host } = fetching;
  for (;;) {
    await quiet(fetching);
    const next = host.nextAt((object) => !object.hasEnded);
    if (next === undefined) return;
    await host.advance(next - host.now());
  }
}

async function nextRound(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
