/** What an execution of the benchmark does: every contestant knows the same programs. */
export type Program =
  /** Steps one after the other that do nothing: each gives the time, and the result is one mark a quarter. */
  | { readonly kind: "steps"; readonly count: number }
  /** The same, each with one request to `url`. */
  | { readonly kind: "fetches"; readonly count: number; readonly url: string }
  /** Steps all at once that do nothing. */
  | { readonly kind: "parallel"; readonly count: number }
  /**
   * Steps all at once, each with a request to `url/INDEX`, that fail where it is refused, after `bodyMs`. Each has a
   * backoff of its own and two attempts.
   */
  | { readonly kind: "retries"; readonly url: string; readonly delaysMs: readonly number[]; readonly bodyMs: number }
  /** Steps one after the other, each with a request to `url/INDEX`, that then take `stepMs`. */
  | { readonly kind: "paced"; readonly count: number; readonly url: string; readonly stepMs: number }
  /** One step with a request to `url` that is always refused: so many attempts, and always the same backoff. */
  | { readonly kind: "hopeless"; readonly url: string; readonly attempts: number; readonly delayMs: number }
  /** Steps that do nothing, then a wait for the signal `go`. */
  | { readonly kind: "signalled"; readonly count: number }
  /** Steps that do nothing, then a sleep until a moment, then a step with a request to `url`. */
  | { readonly kind: "sleeper"; readonly count: number; readonly untilMs: number; readonly url: string };

export type ProgramOf<Kind extends Program["kind"]> = Extract<Program, { readonly kind: Kind }>;

/** Times of the first step and of the last of each quarter: the cost of a step, early and late. */
export function quartersOf(times: readonly number[]): readonly number[] {
  const last = times.length - 1;
  return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => times[Math.round(last * share)] ?? []);
}

/** A request that a step sends. Throws where it is refused. */
export async function visit(url: string): Promise<number> {
  const response = await fetch(url);
  await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.status;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** When the first attempts failed, by URL: both attempts of a step are made in one process. */
const failures = new Map<string, number>();

/**
 * A request; where it is refused the step goes on for a while before it fails. The next attempt tells the service when
 * that was: from then on its backoff counts.
 */
export async function visitSlowly(url: string, bodyMs: number): Promise<void> {
  const failedAt = failures.get(url);
  const outcome = await visit(failedAt === undefined ? url : `${url}?failedAt=${failedAt}`).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (bodyMs > 0) await pause(bodyMs);
  failures.delete(url);
  if (outcome === undefined) return;
  failures.set(url, Date.now());
  throw outcome.error;
}
