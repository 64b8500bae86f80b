import type { TestProject } from "vitest/node";
import { BrowserWorker } from "./browser-worker.ts";
import { findChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Its URL; nothing where there is no browser. */
    readonly sharedWorker: string | null;
  }
}

/** Before all browser tests: one Worker, which every file looks at with a browser of its own. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (findChromium() === undefined) {
    sayThatThereIsNone();
    project.provide("sharedWorker", null);
    return undefined;
  }
  const worker = await BrowserWorker.start();
  project.provide("sharedWorker", worker.url);
  return async () => await worker.close();
}

/** Says why the tests are left out, or fails where they must not be. */
function sayThatThereIsNone(): void {
  const wanted = "Cannot run the browser tests as chromium must be installed: current value is none.";
  const help = "Install it, for instance by `apt-get install chromium`, or say where it is by CHROMIUM_PATH.";
  if (process.env["STEPWELL_BROWSER"] === "required") throw new Error(`${wanted} ${help}`);
  console.warn(`${wanted} They are left out. ${help}`);
}
