import { configureGlobal } from "fast-check";

// Always the same ones, as a mutant that dies today and lives tomorrow says nothing.
configureGlobal({ numRuns: 40, seed: 1 });
