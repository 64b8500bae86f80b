import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import type { FetchResult } from "../../src/execution/workflow-context.ts";
import { every } from "../support/hits.ts";
import { finish, quiet, runFetching, startFetching, until } from "../support/fetching.ts";
import { HttpService, reply, type Answer } from "../support/http-service.ts";

const SECOND = 1_000;
const KIB = 1_024;
const MIB = 1_024 * KIB;

let service: HttpService;
beforeAll(async () => void (service = await HttpService.start()));
afterAll(() => service.close());

/** Sends the head and a part of the body, and then nothing any more. */
const dawdle = (status: number, part: string, headers: Record<string, string> = {}): Answer => {
  return (response) => void response.writeHead(status, headers).write(part);
};

/** Sends a part of what it promised, and breaks off. */
const breakOff = (status: number, part: string, headers: Record<string, string> = {}): Answer => {
  return (response) => {
    response.writeHead(status, { ...headers, "Content-Length": "1000" });
    response.write(part, () => response.socket?.destroy());
  };
};

const onlyFirst = (first: Answer): Answer => {
  return (response, received, count) => (count === 1 ? first : reply(200, {}, "done"))(response, received, count);
};

const STEP = { name: "x", retryPolicy: every("1s", 3), timeout: "5s" } as const;

describe("the body of an answer", () => {
  it("is read within the attempt: one that never ends is a timeout, and the connection is given up", async () => {
    service.answerWith(onlyFirst(dawdle(200, "par")));
    const fetching = await startFetching(async ({ step }) => await (await step.fetch(STEP, service.url)).text());
    await until(() => service.received.length === 1);
    await fetching.host.advance(5 * SECOND);
    await until(() => service.brokenOff.length === 1);
    await finish(fetching);
    expect(fetching.seen.value).toBe("done");
    const failed = (await fetching.probe.facts()).find((fact) => fact.type === "attempt-failed");
    expect(failed).toMatchObject({ failure: { name: "StepTimeout" }, at: 5 * SECOND, retryAt: 6 * SECOND });
  });

  it("S25 also counts the time before the head", async () => {
    service.answerWith(onlyFirst(() => {}));
    const fetching = await startFetching(({ step }) => step.fetch(STEP, service.url));
    await until(() => service.received.length === 1);
    await fetching.host.advance(5 * SECOND);
    await until(() => service.brokenOff.length === 1);
    await finish(fetching);
    expect(fetching.seen.value).toMatchObject({ status: 200 });
    expect(service.received).toHaveLength(2);
  });

  it("that breaks off is a network error, which is tried again", async () => {
    service.answerWith(onlyFirst(breakOff(200, "part")));
    const { seen, probe } = await runFetching(async ({ step }) => await (await step.fetch(STEP, service.url)).text());
    expect(seen.value).toBe("done");
    const failed = (await probe.facts()).find((fact) => fact.type === "attempt-failed");
    expect(failed).toMatchObject({ failure: { name: "RetryableError" }, retryAt: SECOND });
  });

  it("arrives whole up to the bound of values", async () => {
    const large = Buffer.alloc(7 * MIB, "0123456789abcdef");
    service.answerWith(reply(200, {}, large));
    const { seen } = await runFetching(({ step }) => step.fetch(STEP, service.url));
    expect(Buffer.from(await (seen.value as FetchResult).bytes()).equals(large)).toBe(true);
  });

  it("over that bound ends the step at once, without being read to its end", async () => {
    service.answerWith(dawdle(200, "x".repeat(20 * KIB)));
    const { seen, probe } = await runFetching(({ step }) => step.fetch(STEP, service.url), {
      maximumValueBytes: 16 * KIB,
    });
    expect(NonRetryableError.is(seen.error)).toBe(true);
    expect(seen.error).toMatchObject({ code: "VALUE_TOO_LARGE", message: /at most 16384 bytes/ });
    expect(await probe.outcome()).toMatchObject({ code: "VALUE_TOO_LARGE" });
    expect(service.received).toHaveLength(1);
    await until(() => service.brokenOff.length === 1);
  });

  it("within that bound alone, but not with its headers, ends the step at once too", async () => {
    service.answerWith(reply(200, { "X-Long": "h".repeat(600) }, "x".repeat(900)));
    const { seen } = await runFetching(({ step }) => step.fetch(STEP, service.url), { maximumValueBytes: 1_000 });
    expect(seen.error).toMatchObject({ code: "VALUE_TOO_LARGE" });
    expect(service.received).toHaveLength(1);
  });
});

describe("the body of a refusal", () => {
  it("is kept up to 64 KiB, cut between characters", async () => {
    service.answerWith(reply(404, {}, "ü".repeat(40 * KIB)));
    const { seen } = await runFetching(({ step }) => step.fetch(STEP, service.url));
    expect(HttpRefusal.is(seen.error)).toBe(true);
    expect(seen.error).toMatchObject({ status: 404, body: "ü".repeat(32 * KIB) });
    service.answerWith(reply(404, {}, `-${"ü".repeat(40 * KIB)}`));
    const cut = await runFetching(({ step }) => step.fetch(STEP, service.url));
    expect(cut.seen.error).toMatchObject({ body: `-${"ü".repeat(32 * KIB - 1)}` });
  });

  it.each([
    ["control characters", "text/plain", "\u0001".repeat(64 * KIB)],
    ["many small values", "application/json", `[${Array.from({ length: 11_000 }, (_, n) => n).join()}]`],
    ["quotation marks", "text/plain", '"'.repeat(64 * KIB)],
  ])("survives the journal whole: %s", async (_, type, body) => {
    const expected: unknown = type === "text/plain" ? body : JSON.parse(body);
    service.answerWith(reply(422, { "Content-Type": type }, body));
    const terminal = await runFetching(({ step }) => step.fetch(STEP, service.url));
    expect((terminal.seen.error as HttpRefusal).body).toEqual(expected);
    service.answerWith(reply(500, { "Content-Type": type }, body));
    const exhausted = await runFetching(({ step }) => step.fetch({ ...STEP, retryPolicy: every(1, 1) }, service.url));
    const error = exhausted.seen.error as StepExhausted;
    expect(error.refusal).toEqual({ status: 500 });
    expect(error).toMatchObject({ cause: { cause: { status: 500, body: expected } } });
  });

  it("of a service that dawdles does not cost the time that it prescribed", async () => {
    service.answerWith(onlyFirst(dawdle(429, '{"code":', { "Retry-After": "120" })));
    const fetching = await startFetching(async ({ step }) => await (await step.fetch(STEP, service.url)).text());
    await until(() => service.received.length === 1);
    const waits = async () => (await fetching.probe.view()).waitingFor;
    // The head is on its way; the clock may move once it has been read, of which nothing is seen outside.
    while ((await waits()).length === 0) {
      await fetching.host.settle();
      if (fetching.host.nextAt() === SECOND) await fetching.host.advance(SECOND);
    }
    expect(await waits()).toMatchObject([{ kind: "retry", until: 121 * SECOND }]);
    await until(() => service.brokenOff.length === 1);
    await finish(fetching);
    expect(fetching.seen.value).toBe("done");
  });

  it("that breaks off changes nothing about its status", async () => {
    service.answerWith(breakOff(404, "not fou", { "Content-Type": "application/json" }));
    const terminal = await runFetching(({ step }) => step.fetch(STEP, service.url));
    expect(terminal.seen.error).toMatchObject({ name: "HttpRefusal", status: 404 });
    expect(service.received).toHaveLength(1);
    service.answerWith(onlyFirst(breakOff(503, "", { "Retry-After": "7" })));
    const retried = await startFetching(({ step }) => step.fetch(STEP, service.url));
    await quiet(retried);
    expect((await retried.probe.view()).waitingFor).toMatchObject([{ until: 7 * SECOND }]);
  });
});

describe("signals of a fetch", () => {
  it("S46 a cancellation ends the request", async () => {
    service.answerWith(() => {});
    const fetching = await startFetching(({ step }) => step.fetch(STEP, service.url));
    await until(() => service.received.length === 1);
    await fetching.probe.command("cancel");
    await until(() => service.brokenOff.length === 1);
    expect(fetching.seen.error).toMatchObject({ name: "CancelledError" });
    expect(await fetching.probe.outcome()).toEqual({ kind: "cancelled" });
  });

  it("the author's own signal ends the step for good, as it stays aborted", async () => {
    service.answerWith(() => {});
    const controller = new AbortController();
    const { signal } = controller;
    const fetching = await startFetching(({ step }) => step.fetch(STEP, service.url, { signal }));
    await until(() => service.received.length === 1);
    controller.abort(new Error("not needed any more"));
    await finish(fetching);
    const { error } = fetching.seen;
    expect(error).toMatchObject({ name: "NonRetryableError", cause: { message: "not needed any more" } });
    expect(service.received).toHaveLength(1);
  });

  it("the author's own signal that never aborts changes nothing", async () => {
    service.answerWith(onlyFirst(reply(503)));
    const { signal } = new AbortController();
    const { seen } = await runFetching(({ step }) => step.fetch(STEP, service.url, { signal }));
    expect(seen.value).toMatchObject({ status: 200 });
    expect(service.received).toHaveLength(2);
  });
});
