export type { ExecutionState, WaitView } from "../execution/wire.ts";
export type { InterruptOptions } from "./interrupts.ts";
export type { LogLine } from "./memory-object.ts";
export type { TestOperation } from "./operation-list.ts";
export { stepContext } from "./step-context.ts";
export { createTestEngine, type TestEngine, type TestStartOptions } from "./test-engine.ts";
export type { TestEntry, TestExecution } from "./test-execution.ts";
export type { TestFailure } from "./test-failure.ts";
export type { TestEngineOptions } from "./test-options.ts";
