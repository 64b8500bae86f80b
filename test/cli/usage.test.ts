import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EXIT_CODES } from "../../src/cli/exit-code.ts";
import { runCli } from "./run-cli.ts";

const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");

describe("the usage", () => {
  it("names every command, and is an error only where none was given", async () => {
    const asked = await runCli(["--help"]);
    const forgot = await runCli([]);
    expect([asked.code, forgot.code, asked.out]).toEqual([0, 2, forgot.out]);
    for (const name of Object.keys(COMMANDS)) expect(asked.out).toContain(`stepwell ${name}`);
  });

  it.each(Object.keys(COMMANDS))("of %s names its options, and so does the page", async (name) => {
    const { code, out } = await runCli([name, "--help"]);
    expect(code).toBe(0);
    for (const option of Object.keys(COMMANDS[name]?.options ?? {})) {
      expect(out).toContain(`--${option}`);
      expect(page).toContain(`--${option}`);
    }
    expect(page).toContain(`stepwell ${name}`);
  });

  it("has every exit code on its page", () => {
    for (const code of Object.values(EXIT_CODES)) expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
  });

  it("tells the version of the package", async () => {
    expect(await runCli(["--version"])).toEqual({ code: 0, out: "1.2.3\n", notes: "" });
  });
});

describe("a wrong command line", () => {
  it.each([
    [["lst"], 'Cannot run "lst" as the commands are list, show, watch'],
    [["constructor"], 'Cannot run "constructor" as the commands are'],
    [["show"], "Cannot use show as it needs EXECUTION: current value is missing"],
    [["show", "order/o-1", "x"], 'Cannot use show as it takes only EXECUTION: current value is "x"'],
    [["list", "x"], 'Cannot use list as it takes no arguments: current value is "x"'],
    [
      ["show", "order"],
      'Cannot use EXECUTION as it must be WORKFLOW/ID, as in order/order-42: current value is "order"',
    ],
    [["show", "a/b/c"], "Cannot use EXECUTION as it must be WORKFLOW/ID"],
    [["list", "--stat", "paused"], "Cannot use --stat as the options of list are --workflow, --state"],
    [["list", "-s"], "Cannot use -s as the options of list are"],
    [["list", "--__proto__=x"], "Cannot use --__proto__ as the options of list are"],
    [["list", "--state"], "Cannot use --state as it takes a value, --state=STATE: current value is missing"],
    [["list", "--state", "--json"], "Cannot use --state as it takes a value, --state=STATE: current value is missing"],
    [["list", "--state", "stuck"], "Cannot use --state as it must be one of running, waiting, paused"],
    [
      ["list", "--state=paused", "--state=failed"],
      'Cannot use --state as it may be given once: current value is "failed"',
    ],
    [["list", "--json=yes"], 'Cannot use --json as it takes no value: current value is "yes"'],
    [["list", "--limit", "0"], 'Cannot use --limit as it must be an integer of at least 1: current value is "0"'],
    [
      ["list", "--attribute", "customer"],
      'Cannot use --attribute as it must be NAME=VALUE: current value is "customer"',
    ],
    [
      ["list", "--started-after", "yesterday"],
      "Cannot use --started-after as it must be Unix milliseconds or ISO 8601",
    ],
    [
      ["list", "--started-after", "2026-11-30T12:00:00"],
      "Cannot use --started-after as it must be Unix milliseconds or",
    ],
    [["watch", "order/o-1", "--from", "x"], "Cannot use --from as it must be the number of an entry, 0 or more"],
    [["start", "order", "{sku:1}"], "Cannot use INPUT as it must be JSON ("],
    [["start", "order", "{}", "--wait", "1 month"], "Cannot use --wait as it must be a duration"],
    [["start", "order", "{}", "--deadline", "-1s"], "Cannot use --deadline as it takes a value"],
    [["result", "order/o-1", "--timeout=-1s"], "Cannot use --timeout as it must not be negative"],
    [["signal", "order/o-1", "go", "{", "--idempotency-key", "k"], "Cannot use VALUE as it must be JSON"],
    [["signal", "order/o-1", "go", "1", "--idempotency-key", "é"], "Cannot use idempotencyKey as it must be 1 to 256"],
    [["completion", "fish"], 'Cannot use SHELL as it must be one of bash, zsh: current value is "fish"'],
    [["list", "--url", "ftp://x"], 'Cannot use url as it must be a URL of http or https: current value is "ftp://x"'],
  ])("%j is told what is wrong, and nothing is sent", async (args, message) => {
    const { code, out, notes } = await runCli(args);
    expect([code, out]).toEqual([2, ""]);
    expect(notes).toContain(message);
  });

  it("needs to know where the Worker is", async () => {
    const { code, notes } = await runCli(["list"], { env: { STEPWELL_URL: "" } });
    expect([code, notes]).toEqual([
      2,
      "Cannot reach a Worker as --url or STEPWELL_URL must say where it is: current value is missing\n",
    ]);
  });
});

describe("explain-policy", () => {
  it("prints the plan of a policy without any Worker", async () => {
    const { code, out } = await runCli([
      "explain-policy",
      '{"maximumAttempts":3,"initialInterval":"2s"}',
      "--timeout",
      "10s",
    ]);
    expect(code).toBe(0);
    expect(out).toContain("3           6 s           –           26 s");
    expect(out).toContain("Worst case without chance: spent after 36 s.");
  });

  it("prints it as JSON and as a picture, and reads the policy from the input", async () => {
    const json = await runCli(["explain-policy", "-", "--json"], { input: '{"maximumAttempts":2}' });
    expect(JSON.parse(json.out)).toMatchObject({
      timeoutMs: 60_000,
      longestMs: 121_000,
      policy: { maximumAttempts: 2 },
    });
    const { out } = await runCli(["explain-policy", "{}", "--svg"]);
    expect(out).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  it.each([
    [
      '{"maximumAttempts":0}',
      "Cannot use POLICY.maximumAttempts as it must be an integer from 1 to 1000: current value is 0",
    ],
    ['{"attempts":3}', "Cannot use POLICY.attempts as the keys of POLICY are initialInterval"],
    ["[]", "Cannot use POLICY as it must be a plain object: current value is an array"],
    ["3 times", "Cannot use POLICY as it must be JSON"],
  ])("refuses %s", async (policy, message) => {
    const { code, notes } = await runCli(["explain-policy", policy]);
    expect([code, notes]).toEqual([2, expect.stringContaining(message)]);
  });

  it("refuses a timeout that no step can have", async () => {
    const { code, notes } = await runCli(["explain-policy", "{}", "--timeout", "1h"]);
    expect([code, notes]).toEqual([2, expect.stringContaining("Cannot use --timeout as it must be 1000 to 600000")]);
  });
});
