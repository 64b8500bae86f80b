import type { Entry } from "../journal/entry.ts";
import type { State } from "../journal/state.ts";
import type { Deployment } from "./deployment.ts";
import type { Ports } from "./ports.ts";

/** Tells the deployment's listener what was committed. Its failures are logged: it watches, and must not disturb. */
export function tellListener(
  committed: readonly Entry[],
  { started }: State,
  { deployment, ports }: { readonly deployment: Deployment; readonly ports: Ports },
): void {
  const { onEvent } = deployment;
  if (onEvent === undefined || started === undefined) return;
  const execution = { id: started.id, workflow: started.workflow };
  for (const entry of committed) {
    const told = async () => await onEvent(entry, execution, ports.env);
    told().catch((error: unknown) => ports.log("error", "onEvent failed.", { ...execution, error }));
  }
}
