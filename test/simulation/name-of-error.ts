/** What an error looks like to a program. */
export function nameOfError(error: unknown): string {
  if (error instanceof AggregateError) return `AggregateError(${error.errors.map(nameOfError).join()})`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "no error";
}
