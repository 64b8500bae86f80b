import { describe, expect, it } from "vitest";
import { decodeParsed, decodeValue } from "../../src/journal/value.ts";

describe("texts that nobody encoded", () => {
  it.each([
    ["no JSON", "{"],
    ["an object", "{}"],
    ["text", '"x"'],
    ["nothing", "null"],
    ["an empty array", "[]"],
    ["a number that stands for nothing", "5"],
    ["a place that does not exist", "[[7]]"],
    ["an unknown tag", '[["Function",1],"return 1"]'],
    ["a key __proto__", '[{"__proto__":1},{"polluted":2},true]'],
    ["an error that contains nothing but itself", '[["Error",0]]'],
    ["an error of text", '[["Error",1],"x"]'],
    ["an error of null", '[["Error",1],null]'],
    ["entries of an object", '[["Entries",1],{}]'],
  ])("%s is an error", (_name, text) => {
    expect(() => decodeValue(text)).toThrow(Error);
  });

  it("the refusal names the rule", () => {
    expect(() => decodeParsed("x")).toThrow(
      "Cannot decode a value as it must be an array or a number: current value is string",
    );
    expect(() => decodeValue('[["Error",1],"x"]')).toThrow(
      "Cannot decode a value as a tag must stand on an object: current value is x",
    );
  });

  it("an incomplete error is an error all the same", () => {
    const error = decodeValue('[["Error",1],{"name":2,"own":3},5,"x"]') as Error;
    expect([error.name, error.message, error.stack]).toEqual(["Error", "", "Error"]);
  });

  it("an odd last key, and a key that is no text, are left out of an error", () => {
    const error = decodeValue('[["Error",1],{"name":2,"own":3},"E",[4,2,2,4,2],5]') as Error;
    expect(Object.entries(error)).toEqual([["E", 5]]);
  });

  it("no text reaches a prototype", () => {
    const value = decodeValue('[["Entries",1],[2,3,4,3],"__proto__",{"polluted":5},"constructor",true]') as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    const error = decodeValue('[["Error",1],{"own":2},[3,4],"__proto__",{"polluted":5},true]') as Error;
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
    expect("polluted" in {}).toBe(false);
  });
});
