import { NonRetryableError, retryAfter, type StepContext } from "stepwell";

/**
 * Sends one request from inside a step. The idempotency key is the same on every attempt, so the service can tell a
 * repeated request from a new one; the signal aborts when the step's timeout has passed.
 *
 * A refusal that names a time is obeyed exactly. `retryAfter(null)`, for a refusal without that header, leaves the next
 * attempt to the step's own backoff.
 */
export async function post(url: string, { idempotencyKey, signal }: StepContext): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Idempotency-Key": idempotencyKey },
    body: "{}",
    signal,
  });
  const body = await response.json();
  if (response.ok) return body;
  const refusal = `${new URL(url).pathname} answered ${response.status}`;
  if (response.status < 500 && response.status !== 429) throw new NonRetryableError(refusal);
  throw retryAfter(response.headers.get("Retry-After"), new Error(refusal));
}
