import type { AttemptPlan, PolicyPlan } from "./attempt-plan.ts";
import { showLength } from "./show-length.ts";

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 36;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 26;

/** More of them could not be told apart. */
const MAXIMUM_DOTS = 200;

interface Scale {
  readonly x: (afterMs: number) => string;
  readonly y: (attempt: number) => string;
}

/**
 * A plan as an SVG that stands by itself: attempts upwards, time to the right, one line for attempts that fail at once
 * and one for attempts that time out. It takes its colour from the text around it.
 */
export function planPicture({ atOnce, soonest, timedOut }: PolicyPlan): string {
  const lastMs = Math.max(atOnce.endsAfterMs, timedOut.endsAfterMs, 1);
  const most = Math.max(atOnce.attempts.length, soonest?.attempts.length ?? 0);
  const scale: Scale = {
    x: (afterMs) => round(LEFT + (afterMs / lastMs) * (WIDTH - LEFT - RIGHT)),
    y: (attempt) => round(HEIGHT - BOTTOM - (attempt / most) * (HEIGHT - TOP - BOTTOM)),
  };
  const title = `Attempts over time: ${most} within ${showLength(lastMs)}`;
  const bottom = HEIGHT - BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="11" fill="currentColor" stroke="none">`,
    `<title>${title}</title>`,
    `<path d="M${LEFT} ${TOP}V${bottom}H${WIDTH - RIGHT}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>`,
    `<text x="${LEFT - 6}" y="${TOP + 4}" text-anchor="end">${most}</text>`,
    `<text x="${LEFT - 6}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${LEFT}" y="${HEIGHT - 8}">0</text>`,
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${showLength(lastMs)}</text>`,
    legend(soonest !== undefined),
    ...(soonest === undefined ? [] : [stairs(soonest, scale, 'stroke-dasharray="1 3"')]),
    stairs(timedOut, scale, 'stroke-dasharray="6 3" stroke-opacity="0.7"'),
    stairs(atOnce, scale, 'stroke-width="1.5"'),
    ...dots(atOnce, scale),
    "</svg>\n",
  ].join("\n");
}

/** One step up at each start. */
function stairs({ attempts, endsAfterMs }: AttemptPlan, { x, y }: Scale, style: string): string {
  const steps = attempts.map(({ attempt, startsAfterMs }) => `H${x(startsAfterMs)}V${y(attempt)}`);
  return `<path d="M${x(0)} ${y(0)}${steps.join("")}H${x(endsAfterMs)}" fill="none" stroke="currentColor" ${style}/>`;
}

function dots({ attempts }: AttemptPlan, { x, y }: Scale): readonly string[] {
  if (attempts.length > MAXIMUM_DOTS) return [];
  return attempts.map(({ attempt, startsAfterMs }) => `<circle cx="${x(startsAfterMs)}" cy="${y(attempt)}" r="2.5"/>`);
}

function legend(hasChance: boolean): string {
  const chance = hasChance ? " · dotted: with all that chance may take off" : "";
  return `<text x="${LEFT}" y="14">line: every attempt fails at once · dashed: every attempt times out${chance}</text>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
