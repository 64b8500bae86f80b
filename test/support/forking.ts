import type { ForkOptions, NumberedFact, Probe } from "./host.ts";

/** Forks what can be forked. */
export async function forkOf(original: Probe, options?: ForkOptions): Promise<Probe> {
  const fork = await original.fork(options);
  if (typeof fork === "string") throw new TypeError(`The fork was refused: ${fork}.`);
  return fork;
}

/** The types of entries, in order. */
export async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

/** The number of the first entry of a type. */
export async function entryOf(probe: Probe, type: string): Promise<number> {
  return (await typesOf(probe)).indexOf(type);
}

/** The entries from the one that says where the copy ends. */
export async function afterFork(probe: Probe): Promise<readonly NumberedFact[]> {
  const facts = await probe.facts();
  return facts.slice(facts.findLastIndex(({ type }) => type === "forked-from"));
}
