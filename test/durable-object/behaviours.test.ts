import { describe, vi } from "vitest";
import { describeBehaviours } from "../behaviours/all-behaviours.ts";
import { ObjectHost } from "../support/object-host.ts";

// Virtual time is free, but each commit on the way is written to disk: a test with a thousand retries takes its time.
vi.setConfig({ testTimeout: 120_000 });

describe("in a Durable Object", () => {
  describeBehaviours((options) => new ObjectHost(options));
});
