import type { ExecutionPort } from "../execution/wire.ts";

/** Makes a call in its own way. */
export type Through = <Answer>(
  method: keyof ExecutionPort,
  ask: (port: ExecutionPort) => Promise<Answer>,
) => Promise<Answer>;

/** An execution all of whose methods are called through something. What is sent is a copy, as on the platform. */
export function portThrough(through: Through): ExecutionPort {
  return {
    start: (request) => through("start", (port) => port.start(structuredClone(request))),
    listed: () => through("listed", (port) => port.listed()),
    view: () => through("view", (port) => port.view()),
    result: (waitMs) => through("result", (port) => port.result(waitMs)),
    signal: (request) => through("signal", (port) => port.signal(structuredClone(request))),
    answerCallback: (request) => through("answerCallback", (port) => port.answerCallback(structuredClone(request))),
    command: (request) => through("command", (port) => port.command(structuredClone(request))),
    journal: (request) => through("journal", (port) => port.journal(structuredClone(request))),
    value: (entry) => through("value", (port) => port.value(entry)),
    events: (request) => through("events", (port) => port.events(structuredClone(request))),
    purge: () => through("purge", (port) => port.purge()),
    watch: (request) => through("watch", (port) => port.watch(structuredClone(request))),
    cut: (request) => through("cut", (port) => port.cut(structuredClone(request))),
    copy: (request) => through("copy", (port) => port.copy(structuredClone(request))),
    fork: (request, copy) => through("fork", (port) => port.fork(structuredClone(request), copy)),
    told: (request) => through("told", (port) => port.told(structuredClone(request))),
  };
}
