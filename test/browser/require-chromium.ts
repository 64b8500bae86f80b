import { findChromium } from "./chromium.ts";

/** Before all browser tests: says why they are left out, or fails where they must not be. */
export default function requireChromium(): void {
  if (findChromium() !== undefined) return;
  const wanted = "Cannot run the browser tests as chromium must be installed: current value is none.";
  const help = "Install it, for instance by `apt-get install chromium`, or say where it is by CHROMIUM_PATH.";
  if (process.env["STEPWELL_BROWSER"] === "required") throw new Error(`${wanted} ${help}`);
  console.warn(`${wanted} They are left out. ${help}`);
}
