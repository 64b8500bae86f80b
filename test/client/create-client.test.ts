import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { document, view } from "./scripted-server.ts";

describe("createClient", () => {
  it.each([
    [{ url: "x" }, 'Cannot use url as it must be a URL of http or https: current value is "x"'],
    [{ url: "ftp://example.com" }, "Cannot use url as"],
    [{ url: undefined }, "Cannot use url as it must be a URL of http or https: current value is undefined"],
    [{ url: "https://example.com", token: "a b" }, "Cannot use token as it must be visible ASCII characters"],
    [{ url: "https://example.com", token: "" }, "Cannot use token as"],
  ])("refuses %j", (options, message) => {
    expect(() => createClient(options as { url: string })).toThrow(TypeError);
    expect(() => createClient(options as { url: string })).toThrow(message);
  });

  it("does not show a token that it refuses", () => {
    expect(() => createClient({ url: "https://example.com", token: "se cret" })).toThrow(/^(?!.*cret)/);
  });

  it.each([
    ["https://example.com", "https://example.com/v1/executions?limit=100"],
    ["https://example.com/", "https://example.com/v1/executions?limit=100"],
    ["http://example.com:8787/flows//", "http://example.com:8787/flows/v1/executions?limit=100"],
    ["https://user:pass@example.com/a b?c=d#e", "https://example.com/a%20b/v1/executions?limit=100"],
    [undefined, "http://localhost/v1/executions?limit=100"],
  ])("sends below its URL: %s", async (url, expected) => {
    const urls: string[] = [];
    const fetcher = {
      fetch: async (input: RequestInfo | URL) => {
        urls.push(new Request(input).url);
        return await document(200, { executions: [], next: null })({} as never, {} as never);
      },
    };
    const client = createClient(url === undefined ? { fetcher } : { url, fetcher });
    for await (const none of client.list()) expect(none).toBeUndefined();
    expect(urls).toEqual([expected]);
  });

  it("sends no token where it has none", async () => {
    const headers: (string | null)[] = [];
    const fetcher = {
      fetch: async (input: RequestInfo | URL) => {
        headers.push(new Request(input).headers.get("authorization"));
        return await document(200, view())({} as never, {} as never);
      },
    };
    await createClient({ fetcher }).get("order", "o-1").status();
    expect(headers).toEqual([null]);
  });
});
