import { showLength } from "../steps/show-length.ts";

/** `2026-11-30 15:08:03Z`: the same on every machine. */
export function showMoment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** How far a moment is from now: `in 3 s`, `2 min ago`. */
export function showDistance(at: number, now: number): string {
  return at > now ? `in ${showLength(at - now)}` : `${showLength(now - at)} ago`;
}
