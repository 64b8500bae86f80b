import { showLength } from "../../src/steps/show-length.ts";
import { type Bar, endOf, type Happening, type Lane, type Mark, type Picture } from "./picture.ts";
import { escaped, onPaper, WIDTH } from "./paper.ts";

const LEFT = 176;
const RIGHT = 24;
const LANE = 36;
const PAD = 14;
const HAPPENINGS = 20;
const AXIS = 22;
const LEGEND = 24;
/** Of the font, on average. */
const CHARACTER = 5.7;

/** Form and place tell the same as the colours. */
const LIGHT = `.runs{fill:#0969da}
.waits{stroke:#9a6700;stroke-dasharray:2 3;fill:none;stroke-width:2}
.lives{fill:#d1d9e0}
.done{fill:#1a7f37}
.failed,.lost{stroke:#cf222e;stroke-width:2;fill:none}
.called{fill:#1f2328}
.given-up{stroke:#59636e;stroke-width:2;fill:none}
.happening{stroke:#8250df;stroke-dasharray:4 3}
.word{fill:#8250df}`;
const DARK = `.lives{fill:#3d444d}
.runs{fill:#4493f8}
.waits{stroke:#d29922}
.done{fill:#3fb950}
.failed,.lost{stroke:#f85149}
.called{fill:#f0f6fc}
.given-up{stroke:#9198a1}
.happening{stroke:#ab7df8}
.word{fill:#ab7df8}`;

const WORDS = {
  runs: "attempt",
  waits: "wait",
  lives: "object in memory",
  done: "outcome is journaled",
  failed: "failure",
  lost: "lost with its object",
  called: "function is called",
  "given-up": "cancelled or abandoned",
} as const satisfies Readonly<Record<(Bar | Mark)["kind"], string>>;

interface Frame {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  readonly x: (at: number) => number;
}

/** A picture as an SVG that stands by itself, in light and dark. */
export function drawPicture(picture: Picture): string {
  const { title, lanes, happenings = [] } = picture;
  const frame = frameOf(picture);
  const parts = [
    ...axis(picture, frame),
    ...happenings.flatMap((happening) => drawHappening(happening, frame)),
    ...lanes.flatMap((lane, index) => drawLane(lane, frame.top + LANE * (index + 0.5), frame)),
    ...legend(picture, frame),
  ];
  return onPaper({ title, height: frame.height, light: LIGHT, dark: DARK, parts });
}

function frameOf(picture: Picture): Frame {
  const top = PAD + (picture.happenings === undefined ? 0 : HAPPENINGS);
  const bottom = top + picture.lanes.length * LANE;
  const end = endOf(picture);
  return {
    top,
    bottom,
    height: bottom + AXIS + LEGEND,
    x: (at) => round(LEFT + (at / end) * (WIDTH - LEFT - RIGHT)),
  };
}

const TICKS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 43_200, 86_400].map((s) => s * 1_000);
const MAXIMUM_TICKS = 9;

function axis(picture: Picture, { x, top, bottom }: Frame): string[] {
  const end = endOf(picture);
  const tickMs = TICKS_MS.find((ms) => end / ms <= MAXIMUM_TICKS) ?? end;
  const ticks = Array.from({ length: Math.floor(end / tickMs) + 1 }, (_, index) => index * tickMs);
  return ticks.flatMap((at) => [
    `<path class="grid" d="M${x(at)} ${top}V${bottom}"/>`,
    text({ x: x(at), y: bottom + 14, words: at === 0 ? "0" : showLength(at), anchor: "middle", look: "quiet" }),
  ]);
}

function drawHappening({ at, label }: Happening, { x, top, bottom }: Frame): string[] {
  const isLate = x(at) > WIDTH * 0.7;
  return [
    `<path class="happening" d="M${x(at)} ${top - 4}V${bottom}"/>`,
    text({ x: x(at), y: top - 8, words: label, anchor: isLate ? "end" : "start", look: "word" }),
  ];
}

function drawLane({ name, bars, marks }: Lane, y: number, { x }: Frame): string[] {
  return [
    text({ x: LEFT - 14, y: y + 4, words: name, anchor: "end" }),
    ...bars.flatMap((bar) => drawBar(bar, y, x)),
    ...marks.map(({ kind, at }) => drawMark(kind, x(at), y)),
  ];
}

function drawBar({ kind, from, to, label }: Bar, y: number, x: Frame["x"]): string[] {
  const [start, end] = [x(from), x(to)];
  const width = round(end - start);
  const words = label !== undefined && width > label.length * CHARACTER ? [label] : [];
  const middle = round(start + width / 2);
  const labels = words.map((shown) => text({ x: middle, y: y - 8, words: shown, anchor: "middle", look: "quiet" }));
  if (kind === "waits") return [`<path class="waits" d="M${start} ${y}H${end}"/>`, ...labels];
  const height = kind === "lives" ? 8 : 12;
  const least = Math.max(width, 3);
  return [
    `<rect class="${kind}" x="${start}" y="${y - height / 2}" width="${least}" height="${height}" rx="2"/>`,
    ...labels,
  ];
}

function drawMark(kind: Mark["kind"], x: number, y: number): string {
  switch (kind) {
    case "done":
      return `<circle class="done" cx="${x}" cy="${y}" r="5"/>`;
    case "called":
      return `<path class="called" d="M${x - 4} ${y - 6}L${x + 5} ${y}L${x - 4} ${y + 6}Z"/>`;
    case "failed":
      return `<path class="failed" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8"/>`;
    case "lost":
      return `<path class="lost" d="M${x - 5} ${y - 5}h10v10h-10zm0 0l10 10m0 -10l-10 10"/>`;
    case "given-up":
      return `<path class="given-up" d="M${x - 5} ${y - 5}h10v10h-10z"/>`;
  }
}

/** What is there to be seen, and nothing else. */
function legend({ lanes }: Picture, { bottom }: Frame): string[] {
  const seen = new Set(lanes.flatMap(({ bars, marks }) => [...bars, ...marks].map(({ kind }) => kind)));
  const kinds = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((kind) => seen.has(kind));
  const y = bottom + AXIS + 8;
  let x = PAD;
  return kinds.flatMap((kind) => {
    const words = WORDS[kind];
    const sign = drawSign(kind, x, y);
    const said = text({ x: x + 26, y: y + 4, words, anchor: "start", look: "quiet" });
    x += 40 + words.length * CHARACTER;
    return [...sign, said];
  });
}

function drawSign(kind: (Bar | Mark)["kind"], x: number, y: number): string[] {
  if (kind !== "runs" && kind !== "waits" && kind !== "lives") return [drawMark(kind, x + 12, y)];
  return drawBar({ kind, from: x, to: x + 20 }, y, (at) => round(at));
}

interface Words {
  readonly x: number;
  readonly y: number;
  readonly words: string;
  readonly anchor: "start" | "middle" | "end";
  readonly look?: "quiet" | "word";
}

function text({ x, y, words, anchor, look }: Words): string {
  const style = look === undefined ? "" : ` class="${look}"`;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${style}>${escaped(words)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
