import type { AnyWorkflow, InputOf } from "../../execution/workflow.ts";
import { seeAmbientUse } from "./ambient-use.ts";
import { ExplorationFailed } from "./exploration-failed.ts";
import { checkExploreOptions, type CheckedExploreOptions, type ExploreOptions } from "./explore-options.ts";
import { ExploredRun, type Finding } from "./explored-run.ts";
import { planSchedules, shuffled } from "./plan.ts";
import { completeFault, orderOf, type Schedule, smallerSchedules } from "./schedule.ts";
import type { Violation } from "./violation.ts";

/** What an exploration has looked at. */
export interface Exploration {
  readonly runs: number;
  /** Of the run without faults. */
  readonly commits: number;
  readonly turns: number;
  /** Runs that `maximumRuns` left out. */
  readonly skipped: number;
}

/** Runs that a failed exploration may take to make its schedule smaller. */
const SHRINKING_RUNS = 200;

/**
 * Runs a workflow again and again, each time with other faults: a death before and after each commit, a loss of memory
 * before each delivery, other orders in which steps complete, and several of these at once. Each run must come out as
 * the one without faults, repeat no completed step, call no step more often than its budget and the deaths allow, leave
 * the alarm at what is due next, keep every request that was answered, replay to its own end, and pass `check`.
 *
 * @throws {ExplorationFailed} for the first run that does not, with the smallest schedule that shows it
 * @throws {TypeError} or {RangeError} that names the option, the rule and the value
 * @example
 * ```ts
 * await explore(order, { sku: "lamp", cents: 4900 }, {
 *   world: () => new FakeBank(),
 *   scenario: ({ execution }) => execution.signal("approval", { approved: true }),
 *   check: (execution, bank) => expect(bank.charges).toHaveLength(1),
 * });
 * ```
 */
export async function explore<W extends AnyWorkflow, World extends object = object>(
  workflow: W,
  input: InputOf<W>,
  options: ExploreOptions<W, World> = {},
): Promise<Exploration> {
  const checked = checkExploreOptions(workflow, options);
  return await seeAmbientUse(() => new Explorer(checked, workflow, input).explore());
}

class Explorer<W extends AnyWorkflow, World extends object> {
  readonly #options: CheckedExploreOptions<W, World>;
  readonly #workflow: W;
  readonly #input: InputOf<W>;
  /** Runs without faults, by the order in which steps complete in them. */
  readonly #references = new Map<string, Finding>();
  #runs = 0;
  #planned = 1;

  constructor(options: CheckedExploreOptions<W, World>, workflow: W, input: InputOf<W>) {
    this.#options = options;
    this.#workflow = workflow;
    this.#input = input;
  }

  async explore(): Promise<Exploration> {
    const { schedule, maximumRuns } = this.#options;
    const plain = await this.#look([]);
    if (schedule !== undefined) {
      await this.#look(schedule);
      return this.#summary(plain, 0);
    }
    const held = await this.#look([completeFault([])]);
    const planned = planSchedules(plain, held, this.#options);
    const chosen = this.#draw(planned, maximumRuns - this.#runs);
    this.#planned = this.#runs + chosen.length;
    let looked = 0;
    for (const one of chosen) {
      if (this.#runs >= maximumRuns) break;
      await this.#look(one);
      looked += 1;
    }
    return this.#summary(plain, planned.length - looked);
  }

  #summary({ commits, turns }: Finding, skipped: number): Exploration {
    return { runs: this.#runs, commits, turns, skipped };
  }

  /** At most so many of them, in the order in which they were planned. */
  #draw(planned: readonly Schedule[], count: number): Schedule[] {
    if (planned.length <= count) return [...planned];
    const drawn = new Set(shuffled(planned, `${this.#options.seed} runs`).slice(0, Math.max(0, count)));
    return planned.filter((one) => drawn.has(one));
  }

  /** @throws ExplorationFailed where the run shows anything wrong */
  async #look(schedule: Schedule): Promise<Finding> {
    const { finding, violation } = await this.#judge(schedule);
    if (violation === undefined) return finding;
    const runs = this.#runs;
    const smallest = await this.#shrink(finding, violation);
    throw new ExplorationFailed(smallest.violation, smallest.finding, runs);
  }

  async #judge(schedule: Schedule): Promise<{ readonly finding: Finding; readonly violation: Violation | undefined }> {
    const finding = await this.#run(schedule);
    const [violation] = finding.violations;
    return { finding, violation: violation ?? (await this.#difference(finding)) };
  }

  async #run(schedule: Schedule): Promise<Finding> {
    const finding = await new ExploredRun(this.#options, schedule).run(this.#workflow, this.#input);
    this.#runs += 1;
    this.#planned = Math.max(this.#planned, this.#runs);
    this.#options.onProgress({ runs: this.#runs, planned: this.#planned });
    return finding;
  }

  /** How it came out otherwise than without faults. Where steps complete in another order, it may. */
  async #difference(finding: Finding): Promise<Violation | undefined> {
    const order = orderOf(finding.schedule);
    const key = JSON.stringify(order);
    const reference =
      this.#references.get(key) ?? (order.length === finding.schedule.length ? finding : await this.#run(order));
    this.#references.set(key, reference);
    if (reference.end === finding.end) return undefined;
    const message =
      "The execution comes out otherwise than without faults. Where it may, because its outcome holds a time or depends " +
      `on which step completes first, say so with the option outcome.\n  without: ${reference.end}\n  with:    ${finding.end}`;
    return { kind: "outcome", message };
  }

  /** The smallest schedule that shows the same kind of violation. */
  async #shrink(
    finding: Finding,
    violation: Violation,
  ): Promise<{ readonly finding: Finding; readonly violation: Violation }> {
    let smallest = { finding, violation };
    const until = this.#runs + SHRINKING_RUNS;
    for (let isSmaller = true; isSmaller;) {
      isSmaller = false;
      for (const schedule of smallerSchedules(smallest.finding.schedule)) {
        if (this.#runs >= until) return smallest;
        const next = await this.#judge(schedule);
        if (next.violation?.kind !== violation.kind) continue;
        smallest = { finding: next.finding, violation: next.violation };
        isSmaller = true;
        break;
      }
    }
    return smallest;
  }
}
