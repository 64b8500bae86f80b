import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";
import { pause, quartersOf, visit, visitSlowly, type Program, type ProgramOf } from "../program.ts";

/** `burst`: all rows in one turn. `turns`: a turn ends with each row, so that each is a commit of its own. */
export type Way = "burst" | "turns";

interface Env {
  readonly OBJECTS: DurableObjectNamespace<BareObject>;
}

/**
 * A Durable Object without an engine: one row for each step, and nothing else. It is the floor of what an engine on this
 * platform can cost. It cannot replay, and recovers nothing.
 */
export class BareObject extends DurableObject<Env> {
  #rowsWritten = 0;
  /** Steps that wait for the alarm. */
  readonly #due: { readonly at: number; readonly go: () => void }[] = [];

  async run(way: Way, program: Program): Promise<{ readonly result: string }> {
    return { result: JSON.stringify(await this.#result(way, program)) };
  }

  async #result(way: Way, program: Program): Promise<unknown> {
    this.#execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
    switch (program.kind) {
      case "steps":
        return quartersOf(await this.#steps(way, program.count));
      case "parallel":
        return (await this.#steps(way, program.count)).length;
      case "fetches":
        for (let i = 0; i < program.count; i += 1) this.#row(i, await visit(program.url));
        return program.count;
      case "retries":
        return await Promise.all(program.delaysMs.map((delayMs, i) => this.#retried(i, delayMs, program)));
      case "paced":
        for (let i = 0; i < program.count; i += 1) {
          this.#row(i, await visit(`${program.url}/${i}`));
          await pause(program.stepMs);
        }
        return program.count;
      case "hopeless":
      case "signalled":
      case "sleeper":
        throw new Error(`A bare object knows no ${program.kind} program.`);
    }
  }

  rowsWritten(): number {
    return this.#rowsWritten;
  }

  override alarm(): void {
    const now = Date.now();
    const due = this.#due.filter(({ at }) => at <= now);
    for (const one of due) this.#due.splice(this.#due.indexOf(one), 1);
    for (const { go } of due) go();
    this.#arm();
  }

  async #steps(way: Way, count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const time = await (async () => Date.now())();
      times.push(time);
      this.#row(i, time);
      if (way === "turns") await this.ctx.blockConcurrencyWhile(async () => {});
    }
    return times;
  }

  async #retried(i: number, delayMs: number, { url, bodyMs }: ProgramOf<"retries">): Promise<void> {
    try {
      await visitSlowly(`${url}/${i}`, bodyMs);
    } catch {
      const at = Date.now() + delayMs;
      await new Promise<void>((go) => {
        this.#due.push({ at, go });
        this.#arm();
      });
      await visitSlowly(`${url}/${i}`, bodyMs);
    }
    this.#row(i, "done");
  }

  /** One alarm stands at the earliest of all. */
  #arm(): void {
    if (this.#due.length === 0) return;
    const at = Math.min(...this.#due.map((one) => one.at));
    this.#rowsWritten += 1;
    void this.ctx.storage.setAlarm(Math.max(at, Date.now() + 1));
  }

  #row(id: number, value: unknown): void {
    this.#execute("INSERT INTO rows (id, value) VALUES (?, ?)", id, JSON.stringify(value));
  }

  #execute(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.#rowsWritten += this.ctx.storage.sql.exec(statement, ...bindings).rowsWritten;
  }
}

const app = new Hono<{ Bindings: Env }>();

app.post("/:way/:id", async (context) => {
  const { way, id } = context.req.param();
  const { OBJECTS } = context.env;
  const stub = OBJECTS.get(OBJECTS.idFromName(id));
  // The casts: the benchmark sends nothing else.
  const { result } = await stub.run(way as Way, await context.req.json<Program>());
  return context.body(result, 200, { "Content-Type": "application/json" });
});

app.get("/:id/rows", async (context) => {
  const { OBJECTS } = context.env;
  return context.json({ rowsWritten: await OBJECTS.get(OBJECTS.idFromName(context.req.param("id"))).rowsWritten() });
});

export default app;
