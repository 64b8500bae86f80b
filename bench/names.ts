/** The contestants that figures are compared by. */
export const STEPWELL = "Stepwell";
/** Writes all of its rows in one turn. */
export const BURST = "bare object (one turn)";
/** Ends its turn with each row. */
export const TURNS = "bare object (a turn a row)";
