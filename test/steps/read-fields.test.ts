import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readFields } from "../../src/steps/read-fields.ts";

const read = (value: unknown) => readFields(value, "options", ["name", "timeout"]);

describe("readFields", () => {
  it("returns a copy of the fields that are there", () => {
    const options = { name: "ship" };
    const fields = read(options);
    expect(fields).toStrictEqual({ name: "ship" });
    expect(fields).not.toBe(options);
  });

  it("S10 leaves out an explicit undefined", () => {
    expect(read({ name: "ship", timeout: undefined })).toStrictEqual({ name: "ship" });
  });

  it("takes an object without a prototype, and one of another realm", () => {
    expect(read(Object.assign(Object.create(null), { name: "ship" }))).toStrictEqual({ name: "ship" });
    expect(read(runInNewContext("({ name: 'ship' })"))).toStrictEqual({ name: "ship" });
  });

  it("reads each field once", () => {
    let reads = 0;
    read({
      get name() {
        reads += 1;
        return "ship";
      },
    });
    expect(reads).toBe(1);
  });

  class Options {
    readonly name = "ship";
  }
  it.each([null, undefined, 5, "ship", true, [], ["name"], () => "ship", new Date(0), new Map(), new Options()])(
    "S1 refuses %o, which is no plain object",
    (value) => {
      expect(() => read(value)).toThrow(TypeError);
      expect(() => read(value)).toThrow(/^Cannot use options as it must be a plain object: current value is /);
    },
  );

  it("S1 refuses any other key and names it", () => {
    const message = "Cannot use options.retries as the keys of options are name, timeout: current value is 3";
    expect(() => read({ name: "ship", retries: 3 })).toThrow(new TypeError(message));
    expect(() => read({ name: "ship", retries: undefined })).toThrow(TypeError);
    expect(() => read({ name: "ship", [Symbol("retries")]: 3 })).toThrow("options.Symbol(retries)");
    expect(() => read(Object.defineProperty({}, "hidden", { value: 1 }))).toThrow("options.hidden");
  });
});
