import { execFileSync } from "node:child_process";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** Where the browser is: `CHROMIUM_PATH`, or one of its names on the path. */
export function findChromium(): string | undefined {
  const given = process.env["CHROMIUM_PATH"];
  if (given !== undefined && given !== "") return given;
  for (const name of NAMES) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // It has another name here, or is not there.
    }
  }
  return undefined;
}

/** A browser that talks to nobody but the Worker. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
