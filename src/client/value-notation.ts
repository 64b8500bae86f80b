/**
 * The value codec's flat JSON, as far as both directions need it. A value is an array of notations; the first is the
 * value's own, and each names its parts by their places in the array, or by one of the negative numbers below.
 */
export const NEGATIVES: readonly (readonly [number, unknown])[] = [
  [-1, undefined],
  [-3, Number.NaN],
  [-4, Infinity],
  [-5, -Infinity],
  [-6, -0],
];

/** In place of a part: a hole. In place of the first: `[-7, length, index, place, …]` of an array with holes. */
export const HOLE = -2;
export const SPARSE = -7;
