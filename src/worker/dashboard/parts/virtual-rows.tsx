import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { rowsInSight } from "../model/timeline.ts";

export interface VirtualRowsProps {
  /** What the rows are, for those who do not see them. */
  readonly label: string;
  readonly count: number;
  /** In CSS pixels; all rows have it. */
  readonly rowHeight: number;
  /** The row that is to be in sight, after it has changed. */
  readonly revealed?: number | undefined;
  /** The content of a list item. */
  readonly row: (index: number) => ComponentChildren;
  /** What stays above the rows while they scroll. */
  readonly header?: ComponentChildren;
}

/** A list of any length, of which only the rows in sight are in the document. */
export function VirtualRows({ label, count, rowHeight, revealed, row, header }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const sight = useSignal({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => (sight.value = { top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [sight]);
  useEffect(() => {
    if (revealed !== undefined && box.current !== null) reveal(box.current, revealed * rowHeight, rowHeight);
  }, [revealed, rowHeight]);
  const { from, to } = rowsInSight(sight.value, rowHeight, count);
  const indices = Array.from({ length: to - from }, (_, index) => from + index);
  return (
    <div class="virtual" ref={box} tabIndex={0} role="region" aria-label={label}>
      {header}
      <ol style={{ height: `${count * rowHeight}px` }}>
        {indices.map((index) => (
          <li
            key={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {row(index)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function reveal(element: HTMLElement, top: number, height: number): void {
  const isAbove = top < element.scrollTop;
  const isBelow = top + 2 * height > element.scrollTop + element.clientHeight;
  if (isAbove || isBelow) element.scrollTop = Math.max(0, top - element.clientHeight / 2);
}
