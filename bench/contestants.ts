import { bareObject } from "./bare/contestant.ts";
import type { Contestant } from "./contestant.ts";
import { stepwellContestant } from "./stepwell/contestant.ts";

export const CONTESTANTS: readonly Contestant[] = [stepwellContestant, bareObject("turns"), bareObject("burst")];

/** What needs an installation of its own. */
export const PEERS: readonly Contestant[] = [];
