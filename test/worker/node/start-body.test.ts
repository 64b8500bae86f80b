import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Problem } from "../../../src/worker/problem.ts";
import { parseRequest, readStartBody, START_BODY } from "../../../src/worker/requests.ts";

const FIELDS = ["input", "id", "startAt", "deadline", "attributes", "budget"];

const documents = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom("ID", "__proto__", "constructor", "a.b", ""), fc.string()),
    fc.oneof(fc.constantFrom("order-42", "", 7, null, undefined), fc.jsonValue()),
    { maxKeys: 4 },
  ),
);

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof Problem) return [fault.code, fault.message, fault.issues];
    throw fault;
  }
}

it("reads the body of a start as its schema does, with the same issues", () => {
  fc.assert(
    fc.property(documents, (document) => {
      expect(outcomeOf(() => readStartBody(document))).toEqual(outcomeOf(() => parseRequest(START_BODY(), document)));
    }),
    { numRuns: 2_000 },
  );
});

it("names every field that a start may have", () => {
  expect(Object.keys(START_BODY().shape).sort()).toEqual([...FIELDS].sort());
});
