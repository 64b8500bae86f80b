import { onPaper, WIDTH } from "./paper.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineChart {
  /** For those who do not see it, too. */
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

interface BarChart {
  readonly title: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

const LEFT = 64;
const RIGHT = 270;
const TOP = 40;
const HEIGHT = 300;
const BOTTOM = 44;
const BAR = 26;
const BAR_LEFT = 110;
const BAR_RIGHT = 90;
/** Between the names of two lines that end close to each other. */
const NAME_HEIGHT = 15;

const LIGHT = ".line{fill:none;stroke:#0969da;stroke-width:1.5}\n.dot,.bar{fill:#0969da}";
const DARK = ".line{stroke:#4493f8}\n.dot,.bar{fill:#4493f8}";

/** Both axes are logarithmic; each line has its name at its end. */
export function lineChart({ title, x, y, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  const across = axisOf(
    points.map((point) => point.x),
    { from: LEFT, to: WIDTH - RIGHT },
  );
  const upward = axisOf(
    points.map((point) => point.y),
    { from: HEIGHT - BOTTOM, to: TOP },
  );
  const bottom = HEIGHT - BOTTOM;
  const ends = lines.map(({ points: own }) => upward.place(own.at(-1)?.y ?? 1));
  return pictureOf(title, HEIGHT, [
    ...across.marks.map((mark) => `<path class="grid" d="M${across.place(mark)} ${TOP}V${bottom}"/>`),
    ...across.marks.map((mark) =>
      textAt({ x: across.place(mark), y: bottom + 16, words: short(mark), anchor: "middle" }),
    ),
    ...upward.marks.map((mark) => `<path class="grid" d="M${LEFT} ${upward.place(mark)}H${WIDTH - RIGHT}"/>`),
    ...upward.marks.map((mark) =>
      textAt({ x: LEFT - 6, y: upward.place(mark) + 4, words: `${short(mark)} ${y}`, anchor: "end" }),
    ),
    textAt({ x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 10, words: x, anchor: "middle" }),
    ...lines.map(({ points: own }) => {
      const path = own.map((point) => `${across.place(point.x)} ${upward.place(point.y)}`).join("L");
      return `<path class="line" d="M${path}"/>`;
    }),
    ...points.map(
      (point) => `<circle class="dot" cx="${across.place(point.x)}" cy="${upward.place(point.y)}" r="2.5"/>`,
    ),
    ...lines.map(({ name }, i) =>
      textAt({ x: WIDTH - RIGHT + 10, y: apart(ends, i) + 4, words: name, anchor: "start" }),
    ),
  ]);
}

export function barChart({ title, bars }: BarChart): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const rows = bars.flatMap(({ name, value }, i) => {
    const top = TOP + i * BAR;
    const width = Math.max(1, Math.round((value / most) * (WIDTH - BAR_LEFT - BAR_RIGHT)));
    return [
      textAt({ x: BAR_LEFT - 8, y: top + 14, words: name, anchor: "end" }),
      `<rect class="bar" x="${BAR_LEFT}" y="${top + 2}" width="${width}" height="${BAR - 8}"/>`,
      textAt({ x: BAR_LEFT + width + 8, y: top + 14, words: value.toLocaleString("en-US"), anchor: "start" }),
    ];
  });
  return pictureOf(title, TOP + bars.length * BAR + 12, rows);
}

/** The name of a line, moved down where it would lie upon one above it. */
function apart(ends: readonly number[], index: number): number {
  const order = ends.map((end, i) => ({ end, i })).sort((a, b) => a.end - b.end);
  let last = Number.NEGATIVE_INFINITY;
  for (const { end, i } of order) {
    last = Math.max(end, last + NAME_HEIGHT);
    if (i === index) break;
  }
  return last;
}

function axisOf(values: readonly number[], { from, to }: { readonly from: number; readonly to: number }) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  const place = (value: number) => Math.round(from + ((Math.log10(value) - low) / (high - low)) * (to - from));
  return { place, marks: Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`)) };
}

function short(value: number): string {
  return value >= 1 ? value.toLocaleString("en-US") : String(value);
}

interface Text {
  readonly x: number;
  readonly y: number;
  readonly words: string;
  readonly anchor: "start" | "middle" | "end";
}

function textAt({ x, y, words, anchor }: Text): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
}

function pictureOf(title: string, height: number, parts: readonly string[]): string {
  const heading = `<text class="quiet" x="16" y="22">${title}</text>`;
  return onPaper({ title, height, light: LIGHT, dark: DARK, parts: [heading, ...parts] });
}
