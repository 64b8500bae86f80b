import { describe, expect, it } from "vitest";
import { PathTable } from "../../../src/worker/path-table.ts";

const table = new PathTable({
  "/": "root",
  "/v1/things": "all",
  "/v1/things/:thing": "one",
  "/v1/things/:thing/parts/:part": "part",
  "/v1/:other/none": "never",
  "/v1/things/none": "hidden",
});

describe("a table of paths", () => {
  it("finds what stands at a path, and the parts that its pattern leaves open", () => {
    expect(table.find("/")).toEqual({ target: "root", parameters: {} });
    expect(table.find("/v1/things")).toEqual({ target: "all", parameters: {} });
    expect(table.find("/v1/things/lamp/parts/7")).toEqual({ target: "part", parameters: { thing: "lamp", part: "7" } });
  });

  it("takes the first pattern that fits", () => {
    expect(table.find("/v1/things/none")).toEqual({ target: "one", parameters: { thing: "none" } });
    expect(table.find("/v1/stones/none")).toEqual({ target: "never", parameters: { other: "stones" } });
  });

  it.each(["", "/v1", "/v1/things/", "/v1/things//parts/7", "/v1/things/a/parts", "/V1/things", "//v1/things"])(
    "finds nothing at %j",
    (path) => {
      expect(table.find(path)).toBeUndefined();
    },
  );

  it("decodes an open part, and leaves it as it is where it is no UTF-8", () => {
    expect(table.find("/v1/things/a%2Fb")?.parameters).toEqual({ thing: "a/b" });
    expect(table.find("/v1/things/%C3%A4")?.parameters).toEqual({ thing: "ä" });
    expect(table.find("/v1/things/%C3")?.parameters).toEqual({ thing: "%C3" });
    const { parameters } = table.find("/v1/things/__proto__/parts/constructor") ?? {};
    expect(parameters).toEqual({ thing: "__proto__", part: "constructor" });
  });
});
