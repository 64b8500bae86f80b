import { delay } from "../../examples/demo/processes.ts";

const TRY_AGAIN_MS = 300;
const REQUEST_MS = 10_000;
/** What is sent to an execution that has ended says so, and is nobody's fault. */
const ENDED = /"code":"(?:EXECUTION_ENDED|CALLBACK_ENDED)"/;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests until they are answered, as the clients of a service that may be down do. */
export class Client {
  /** What it was told that it should not have been. */
  readonly faults: string[] = [];
  /** Until when an answer has to come: long after the last kill. */
  givesUpAt = Number.POSITIVE_INFINITY;

  async insist(url: string, body: unknown, key?: string): Promise<"taken" | "ended" | "refused"> {
    while (Date.now() < this.givesUpAt) {
      const answer = await send(url, body, key);
      if (answer !== undefined && answer.status < 300) return "taken";
      if (answer !== undefined && ENDED.test(answer.text)) return "ended";
      if (answer !== undefined && answer.status < 500) {
        this.faults.push(`${url} was refused with ${answer.status}: ${answer.text.slice(0, 200)}`);
        return "refused";
      }
      await delay(TRY_AGAIN_MS);
    }
    this.faults.push(`${url} got no answer`);
    return "refused";
  }
}

/**
 * `undefined` where there was no answer: the Worker is down, or died before it answered. A request is given up here and
 * not by its signal alone, as one that wrangler holds back may never come to an end.
 */
async function send(url: string, body: unknown, key: string | undefined): Promise<Answer | undefined> {
  return await Promise.race([request(url, body, key), delay(REQUEST_MS).then(() => undefined)]);
}

async function request(url: string, body: unknown, key: string | undefined): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key !== undefined && { "Idempotency-Key": key }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
