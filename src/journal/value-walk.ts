import { notJournalable, tooLarge, type PathStep } from "./value-fault.ts";

/** Stands for a part that was left out, which only happens inside errors. */
export const DROPPED = Symbol("dropped");

/** Bytes that a number, a date or a container counts. */
export const SLOT_BYTES = 8;

/** Something that the flat format has no notation for; `content` is what stands for it there. */
export class Tagged {
  readonly kind: "Error" | "Entries";
  readonly content: object;
  constructor(kind: Tagged["kind"], content: object) {
    this.kind = kind;
    this.content = content;
  }
}

/** What is kept of an error. */
export interface ErrorExtent {
  /** `all` of its own enumerable properties, those that its class `declares`, or its short `code` alone. */
  readonly properties: "all" | "declared" | "code";
  readonly causes: boolean;
  readonly nameBytes: number;
  readonly messageBytes: number;
}

/** Errors that are values. */
export const WHOLE: ErrorExtent = { properties: "all", causes: true, nameBytes: Infinity, messageBytes: Infinity };

/** One walk over one value. Nested walks, into errors, share everything that is mutable. */
export interface Walk {
  readonly maximumBytes: number;
  /** `bytes` of text and binary, and beside them `slots` of all else: each may reach the maximum. */
  readonly meter: { bytes: number; slots: number; tagged: boolean };
  readonly path: PathStep[];
  /** Copies by their sources, made where an unjournalable part is a fault. */
  readonly copies: Map<object, unknown>;
  /** Copies that may lack parts; a source found here is walked again where that would be a fault. */
  readonly lenientCopies: Map<object, unknown>;
  /** Unjournalable parts are left out instead of refused: inside errors. */
  readonly lenient: boolean;
  /** Errors around this place. */
  readonly enclosingErrors: number;
  /** What is kept of errors. */
  readonly extent: ErrorExtent;
}

/** The walk over one value of at most `maximumBytes`. Any other extent than {@link WHOLE} makes it lenient. */
export function startWalk(maximumBytes: number, extent: ErrorExtent = WHOLE): Walk {
  return {
    maximumBytes,
    meter: { bytes: 0, slots: 0, tagged: false },
    path: [],
    copies: new Map(),
    lenientCopies: new Map(),
    lenient: extent !== WHOLE,
    enclosingErrors: 0,
    extent,
  };
}

/** @throws {ValueFault} `VALUE_TOO_LARGE` */
export function charge(walk: Walk, bytes: number): void {
  walk.meter.bytes += bytes;
  if (walk.meter.bytes > walk.maximumBytes) throw tooLarge(walk.path, walk.maximumBytes, walk.meter.bytes);
}

/**
 * Structure has no text and no bytes; it is bounded by itself, or millions of empty objects would weigh nothing.
 *
 * @throws {ValueFault} `VALUE_TOO_LARGE`
 */
export function chargeSlot(walk: Walk, bytes: number): void {
  walk.meter.slots += bytes;
  if (walk.meter.slots > walk.maximumBytes) throw tooLarge(walk.path, walk.maximumBytes, walk.meter.slots);
}

/** @throws {ValueFault} where the walk is not lenient */
export function refuse(walk: Walk, what: string): typeof DROPPED {
  if (walk.lenient) return DROPPED;
  throw notJournalable(walk.path, what);
}

/** Must stand before the walk goes into the parts, for the sake of cycles. */
export function remember<Copy>(source: object, copy: Copy, walk: Walk): Copy {
  (walk.lenient ? walk.lenientCopies : walk.copies).set(source, copy);
  return copy;
}
