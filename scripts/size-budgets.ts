const KIB = 1_024;

export const SIZE_PARTS = ["start", "whole"] as const;
export type SizePart = (typeof SIZE_PARTS)[number];

export interface SizeBudget {
  /** As in the table of README. */
  readonly name: string;
  readonly entry: string;
  /** Export conditions of the bundler, in the runtime that the entry is for. */
  readonly conditions: readonly string[];
  /** Dependencies that are not counted, besides the peers. */
  readonly without?: readonly string[];
  readonly maximumGzipBytes: Readonly<Record<SizePart, number>>;
}

const WORKERD = ["workerd", "worker", "browser"] as const;

/**
 * What an application pays for each entry point: minified and compressed with all of its dependencies but the peers,
 * which the application has anyway. `start` is what runs when a Worker starts; `whole` also holds what is only run where
 * a route asks for it: the OpenAPI document, the page that shows it, and the dashboard. A budget is raised in the commit that needs it,
 * with the reason in its message, and in the table of README, which a test compares.
 */
export const SIZE_BUDGETS: readonly SizeBudget[] = [
  {
    name: "`stepwell` in a Worker",
    entry: "dist/index.workerd.js",
    conditions: WORKERD,
    maximumGzipBytes: { start: 119 * KIB, whole: 400 * KIB },
  },
  {
    name: "`stepwell` in a Worker that has zod, too",
    entry: "dist/index.workerd.js",
    conditions: WORKERD,
    without: ["zod", "zod/*"],
    maximumGzipBytes: { start: 104 * KIB, whole: 384 * KIB },
  },
  {
    name: "`stepwell` in Node",
    entry: "dist/index.js",
    conditions: ["node"],
    maximumGzipBytes: { start: 71 * KIB, whole: 352 * KIB },
  },
  {
    name: "`stepwell/client`",
    entry: "dist/client/index.js",
    conditions: ["browser"],
    maximumGzipBytes: { start: 6 * KIB, whole: 6 * KIB },
  },
  {
    name: "`stepwell/testing`",
    entry: "dist/testing/index.js",
    conditions: ["node"],
    maximumGzipBytes: { start: 87 * KIB, whole: 87 * KIB },
  },
  {
    name: "`stepwell/testing/workerd`",
    entry: "dist/testing/workerd.js",
    conditions: WORKERD,
    maximumGzipBytes: { start: 3 * KIB, whole: 3 * KIB },
  },
  {
    name: "`stepwell/lint`",
    entry: "dist/lint/index.js",
    conditions: ["node"],
    maximumGzipBytes: { start: 17 * KIB, whole: 17 * KIB },
  },
  {
    name: "`stepwell/otel`",
    entry: "dist/otel/index.js",
    conditions: WORKERD,
    maximumGzipBytes: { start: KIB, whole: KIB },
  },
];

/** All that a browser loads for the dashboard but its page, which is nearly empty. */
export const DASHBOARD_GZIP_BYTES = 60 * KIB;

export const inKib = (bytes: number): string => `${(bytes / KIB).toFixed(1)} KiB`;
