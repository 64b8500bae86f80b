import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort, ROOT, startWorker } from "../../examples/demo/processes.ts";

const TOKEN = "full-token";

const folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
const config = join(import.meta.dirname, "client/wrangler.toml");
const worker = await startWorker({
  port: await freePort(),
  persistTo: folder,
  vars: { STEPWELL_TOKEN: TOKEN },
  config,
});

const MAIN = join(ROOT, "src/cli/main.ts");
// As npm links it.
await chmod(MAIN, 0o755);
await symlink(MAIN, join(folder, "stepwell"));

afterAll(async () => {
  await worker.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly notes: string;
}

function start(file: string, args: readonly string[], token = TOKEN): Promise<Ran> {
  const path = [folder, join(process.execPath, ".."), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, STEPWELL_URL: worker.url, STEPWELL_TOKEN: token };
  return new Promise((resolve) => {
    const child = execFile(file, args, { env, timeout: 60_000 }, (error, out, notes) =>
      resolve({ code: error === null ? 0 : (error.code ?? String(error.signal)), out, notes }),
    );
    child.stdin?.end();
  });
}

const stepwell = (...args: readonly string[]) => start("stepwell", args);

describe("the stepwell command, in a process of its own against a Worker", () => {
  it("starts, watches, signals and shows an execution", async () => {
    const input = '{"sku":"lamp","lines":[{"cents":4900}]}';
    expect(await stepwell("start", "order", input, "--id", "cli-1")).toEqual({
      code: 0,
      out: "order/cli-1\n",
      notes: "order/cli-1 was started\n",
    });
    const watched = stepwell("watch", "order/cli-1", "--json");
    expect(await stepwell("signal", "order/cli-1", "approval", '{"approved":true}')).toMatchObject({ code: 0 });
    const { code, out } = await watched;
    expect(code).toBe(0);
    const entries = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ entry }) => entry)).toEqual(entries.map((_, index) => index));
    expect(entries.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["started", "signal-received", "completed"]),
    );

    const shown = await stepwell("show", "order/cli-1");
    expect(shown.out).toMatch(/^order\/cli-1 {2}completed\n/);
    expect(shown.out).toMatch(/^price +█/m);
    const found = await stepwell("result", "order/cli-1", "--json");
    expect(JSON.parse(found.out)).toMatchObject({ kind: "completed", value: { sku: "lamp", price: 4_900 } });
  });

  it("pauses, resumes, cancels, forks and deletes, with an exit code for each end", async () => {
    await stepwell("start", "slow", "--id", "cli-2");
    const paused = await stepwell("pause", "slow/cli-2", "--reason", "to look", "--json");
    expect(JSON.parse(paused.out)).toMatchObject({ id: "cli-2", state: "paused" });
    expect((await stepwell("resume", "slow/cli-2")).out).toMatch(/^slow\/cli-2 {2}waiting\n/);
    expect(await stepwell("result", "slow/cli-2", "--timeout", "0")).toMatchObject({ code: 5, out: "" });
    expect(await stepwell("fork", "slow/cli-2", "--id", "cli-3")).toMatchObject({ code: 0, out: "slow/cli-3\n" });
    await stepwell("cancel", "slow/cli-2", "--reason", "late");
    await stepwell("terminate", "slow/cli-3");
    expect(await stepwell("result", "slow/cli-2")).toMatchObject({ code: 4, out: "cancelled\n" });
    expect(await stepwell("delete", "slow/cli-2")).toMatchObject({ code: 0 });
    expect(await stepwell("show", "slow/cli-2")).toMatchObject({
      code: 1,
      notes: expect.stringContaining("NOT_FOUND (404)"),
    });
  });

  it("tells a wrong token from a wrong URL", async () => {
    expect(await start("stepwell", ["show", "order/cli-1"], "wrong")).toMatchObject({
      code: 1,
      notes: expect.stringContaining("UNAUTHORIZED (401)"),
    });
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await stepwell("show", "order/cli-1", "--url", nowhere)).toMatchObject({
      code: 6,
      notes: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("is not disturbed by a reader that has seen enough", async () => {
    const { code, out } = await start("bash", [
      "-c",
      "stepwell show order/cli-1 --json | head -c 10; exit ${PIPESTATUS[0]}",
    ]);
    expect([code, out]).toEqual([0, '{"executio']);
  });

  it("completes in bash what it would in a terminal", async () => {
    const script = (words: readonly string[]) => `
      source <(stepwell completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
      compopt() { echo "no space"; }
      _stepwell
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect((await start("bash", ["-c", script(["stepwell", "si"])])).out).toBe("signal\n");
    expect((await start("bash", ["-c", script(["stepwell", "show", "ord"])])).out).toBe("no space\norder/\n");
    expect((await start("bash", ["-c", script(["stepwell", "list", "--state", "=", "c"])])).out).toBe(
      "completed\ncancelled\n",
    );
  });
});
