import { describeBehaviours } from "../behaviours/all-behaviours.ts";
import { MemoryHost } from "../support/memory-host.ts";

/** Not zero, so that no test takes a moment for a length. */
const START = Date.UTC(2100, 0, 1);

describeBehaviours((options) => new MemoryHost({ ...options, now: START }));
