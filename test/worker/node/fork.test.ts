import { describe, expect, it } from "vitest";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const FORK = `${EXECUTIONS}/x/fork`;

function withExecution() {
  const test = createTestApp();
  test.executions.put("order/x");
  return test;
}

describe("POST fork", () => {
  it("cuts the original, and hands the pages of its journal to the new object", async () => {
    const { send, executions } = withExecution();
    const answer = await send(FORK, { json: { id: "y", before: "ship#2" } });
    expect([answer.status, answer.headers.get("location")]).toEqual([201, `${EXECUTIONS}/y`]);
    expect(executions.calls.map(({ name, method }) => [name, method])).toEqual([
      ["order/x", "cut"],
      ["order/y", "fork"],
      ["order/x", "copy"],
    ]);
    expect(executions.last("cut")).toEqual({ before: "ship#2" });
    const cut = { cut: 1, cutAt: 1_000, startedAt: 1_000 };
    expect(executions.last("fork")).toEqual({ workflow: "order", id: "y", of: "x", before: "ship#2", ...cut });
  });

  it.each([undefined, {}])("takes %j as the whole, under a new id", async (json) => {
    const { send, executions } = withExecution();
    expect((await send(FORK, { method: "POST", ...(json && { json }) })).status).toBe(201);
    expect(executions.last("cut")).toEqual({});
    expect(executions.last("fork").id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it.each([
    [{ before: 1.5 }, "before"],
    [{ before: null }, "before"],
    [{ before: ["ship"] }, "before"],
    [{ id: 1 }, "id"],
    [{ from: "ship" }, "from"],
    [[], ""],
  ])("refuses the body %j with 422 and the path, and asks nobody", async (json, path) => {
    const { send, executions } = withExecution();
    const answer = await send(FORK, { json });
    expect([answer.status, answer.body.code, answer.body.issues?.[0]?.path]).toEqual([422, "VALIDATION_ERROR", path]);
    expect(executions.calls).toEqual([]);
  });

  it("names the rule for what is neither a step nor an entry", async () => {
    const { send } = withExecution();
    const answer = await send(FORK, { json: { before: true } });
    expect(answer.body["detail"]).toContain("before must be the name of a step or the number of an entry");
  });

  it.each(["", "a/b", "..", "é"])("refuses the id %j with 422", async (id) => {
    const { send, executions } = withExecution();
    expect((await send(FORK, { json: { id } })).body.code).toBe("INVALID_ID");
    expect(executions.calls).toEqual([]);
  });

  it("passes on what the objects refuse", async () => {
    const { send, executions } = withExecution();
    executions.put("order/taken");
    expect((await send(FORK, { json: { id: "taken" } })).body.code).toBe("ID_CONFLICT");
    executions.refusal = { kind: "refused", code: "UNSUPPORTED", message: "Cannot fork" };
    expect((await send(FORK, { json: {} })).status).toBe(422);
    executions.refusal = { kind: "refused", code: "VALIDATION_ERROR", message: "Cannot use before" };
    const refused = await send(FORK, { json: { before: "x" } });
    expect(refused.body.issues).toEqual([{ path: "before", message: "Cannot use before" }]);
    expect((await send(`${EXECUTIONS}/nobody/fork`, { json: {} })).status).toBe(404);
  });

  it("answers 503 where an object is lost, and asks the original again, but never the fork", async () => {
    const { send, executions } = withExecution();
    executions.faults.push(new Error("lost"));
    expect((await send(FORK, { json: { id: "y" } })).status).toBe(201);
    executions.faults.push(new Error("lost"), new Error("lost"));
    expect((await send(FORK, { json: { id: "z" } })).status).toBe(503);
    executions.faults.length = 0;
    const forks = executions.calls.filter(({ method }) => method === "fork").length;
    const failing = createTestApp();
    failing.executions.put("order/x");
    const { calls, faults, namespace } = failing.executions;
    const get = namespace.get;
    namespace.get = (id) => {
      // The original answers, the new object is lost.
      if (id === "order/y") faults.push(new Error("lost"));
      return get(id);
    };
    expect((await failing.send(FORK, { json: { id: "y" } })).status).toBe(503);
    expect(calls.filter(({ method }) => method === "fork")).toHaveLength(1);
    expect(forks).toBe(1);
  });
});
