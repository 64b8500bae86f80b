import type { Node } from "./node.ts";

/** A change of the text between two offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Offsets of a node in the text. */
export function rangeOf(node: Node): [start: number, end: number] {
  // ESLint's own parser gives them as `range` alone.
  return node.range ?? [node.start, node.end];
}

export function replacing(node: Node, text: string): Edit {
  const [start, end] = rangeOf(node);
  return { start, end, text };
}

export function insertingBefore(node: Node, text: string): Edit {
  const [start] = rangeOf(node);
  return { start, end: start, text };
}

export function insertingAfter(node: Node, text: string): Edit {
  const [, end] = rangeOf(node);
  return { start: end, end, text };
}
