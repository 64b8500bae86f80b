import { RequestRefused } from "../../src/client/index.ts";

/** What a request is refused with; that it is not, or ends otherwise, fails the test. */
export async function refusalOf(promise: Promise<unknown>): Promise<RequestRefused> {
  const fault: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!RequestRefused.is(fault)) throw new Error(`It was not refused: ${String(fault)}`);
  return fault;
}
