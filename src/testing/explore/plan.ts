import { drawUnit } from "../../journal/draw.ts";
import type { Finding } from "./explored-run.ts";
import { completeFault, delayFault, type Fault, type Schedule } from "./schedule.ts";

export interface PlanTerms {
  readonly crashes: boolean;
  readonly evictions: boolean;
  readonly orders: number;
  readonly combinations: number;
  readonly seed: number;
}

/** Groups up to this size are tried in every order. */
const SMALL_GROUP = 4;

/** Outcomes that are delayed in one run: each takes real time. */
const DELAYED = 20;

const MOST_FAULTS = 4;

/** The runs that an execution is worth, given one without faults and one in which outcomes are held. */
export function planSchedules(plain: Finding, held: Finding, terms: PlanTerms): Schedule[] {
  const crashes = terms.crashes ? numbered(plain.commits, ["crash after commit", "crash before commit"]) : [];
  const evictions = terms.evictions ? numbered(plain.turns, ["evict at turn"]) : [];
  const orders = distinctOrders(held, terms).map(completeFault);
  const delays = terms.orders > 0 && plain.names.length > 0 ? [delayFault(plain.names.slice(0, DELAYED))] : [];
  const single = [...crashes, ...evictions, ...orders, ...delays];
  return [...single.map((fault) => [fault]), ...combinations([...crashes, ...evictions, ...orders], terms)];
}

function numbered(
  count: number,
  kinds: readonly ("crash before commit" | "crash after commit" | "evict at turn")[],
): Fault[] {
  return Array.from({ length: count }, (_, index) => kinds.map((kind): Fault => `${kind} ${index + 1}`)).flat();
}

/** Orders of completion, for each group of steps that end at once: all of them where it is small, else drawn ones. */
function distinctOrders({ together }: Finding, { orders, seed }: PlanTerms): (readonly string[])[] {
  const byText = new Map<string, readonly string[]>();
  for (const group of together) {
    const arrived = JSON.stringify(group);
    for (const order of ordersOf(group, orders, `${seed} ${arrived}`)) {
      const text = JSON.stringify(order);
      if (text !== arrived) byText.set(text, order);
    }
  }
  return [...byText.values()].slice(0, orders);
}

function ordersOf(group: readonly string[], count: number, seed: string): (readonly string[])[] {
  if (group.length <= SMALL_GROUP) return permutations(group);
  const lastFirst = group.toReversed();
  return [lastFirst, ...Array.from({ length: count }, (_, index) => shuffled(group, `${seed} ${index}`))];
}

function permutations(names: readonly string[]): (readonly string[])[] {
  if (names.length <= 1) return [names];
  return names.flatMap((name, index) => permutations(names.toSpliced(index, 1)).map((rest) => [name, ...rest]));
}

/** In an order that the seed draws. */
export function shuffled<T>(values: readonly T[], seed: string): T[] {
  return values
    .map((value, index) => ({ value, rank: drawUnit(seed, `rank ${index}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

/** Several faults in one run. */
function combinations(faults: readonly Fault[], { combinations: count, seed }: PlanTerms): Schedule[] {
  if (faults.length < 2) return [];
  return Array.from({ length: count }, (_, index) => {
    const label = `combination ${index}`;
    const size = 2 + Math.floor(drawUnit(String(seed), label) * (MOST_FAULTS - 1));
    return shuffled(faults, `${seed} ${label}`).slice(0, size);
  });
}
