/**
 * Public prices of the Workers Paid plan in dollars, without what the plan includes: those of Workers and of Durable
 * Objects with SQLite storage. `docs/operating.md` and `docs/scale.md` name them too.
 */
export const PRICES = {
  asOf: "November 2026",
  perMillionRowsWritten: 1,
  perMillionRowsRead: 0.001,
  perMillionRequestsToWorker: 0.3,
  /** Alarms that ring are requests too. */
  perMillionRequestsToObjects: 0.15,
  perMillionGbSeconds: 12.5,
  perGbMonth: 0.2,
} as const;

/** What a deployment has used. */
export interface Usage {
  readonly rowsWritten: number;
  readonly rowsRead?: number;
  readonly requestsToWorker: number;
  readonly requestsToObjects: number;
  readonly gbSeconds?: number;
  readonly gbMonths?: number;
}

const MILLION = 1_000_000;

/** In dollars, without what the plan includes. */
export function priceOf(usage: Usage): number {
  const { rowsWritten, rowsRead = 0, requestsToWorker, requestsToObjects, gbSeconds = 0, gbMonths = 0 } = usage;
  const millions =
    rowsWritten * PRICES.perMillionRowsWritten +
    rowsRead * PRICES.perMillionRowsRead +
    requestsToWorker * PRICES.perMillionRequestsToWorker +
    requestsToObjects * PRICES.perMillionRequestsToObjects +
    gbSeconds * PRICES.perMillionGbSeconds;
  return millions / MILLION + gbMonths * PRICES.perGbMonth;
}
