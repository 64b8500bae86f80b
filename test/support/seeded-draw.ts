/** Draws whole numbers from `low` to `high`, both included. */
export type Draw = (low: number, high: number) => number;

/** The same seed draws the same numbers (xorshift32, Marsaglia 2003). */
export function seededDraw(seed: number): Draw {
  // Zero is the one state that it never leaves.
  let state = seed >>> 0 || 1;
  return (low, high) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return low + ((state >>> 0) % (high - low + 1));
  };
}
