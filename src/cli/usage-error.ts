/** The command line, or what it leads to, cannot be used. */
export class UsageError extends Error {}

/** What a call throws because of its arguments, as what the user has to hear. */
export function asUsage<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
