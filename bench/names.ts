/** The contestants that figures are compared by. */
export const STEPWELL = "Stepwell";
/** Writes all of its rows in one turn. */
export const BURST = "bare object (one turn)";
/** Ends its turn with each row. */
export const TURNS = "bare object (a turn a row)";
/** Those whose figures the targets are ratios of. They get every round, however long it takes. */
export const COMPARED: readonly string[] = [STEPWELL, BURST, TURNS];

/** Later than this, and a step has not kept its own time but somebody else's. */
export const OWN_TIME_MS = 50;
export const OWN_TIME = `within ${OWN_TIME_MS} ms of their own time`;
