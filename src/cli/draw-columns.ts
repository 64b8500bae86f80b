import type { Terminal } from "./terminal.ts";
import type { Tone } from "./tone.ts";

export interface Row {
  readonly cells: readonly string[];
  readonly tone: Tone;
}

/** A line for each row, its cells below those of the others. */
export function drawColumns(terminal: Terminal, rows: readonly Row[]): void {
  const widths = (rows[0]?.cells ?? []).map((_, column) =>
    Math.max(...rows.map(({ cells }) => widthOf(cells, column))),
  );
  for (const { cells, tone } of rows) {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    terminal.line(padded.join("  ").trimEnd(), tone);
  }
}

function widthOf(cells: readonly string[], column: number): number {
  return cells[column]?.length ?? 0;
}
