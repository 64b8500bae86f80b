import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type Started } from "./bench.ts";
import type { Contestant, Running } from "./contestant.ts";

/** A contestant in a run of the benchmark: each of its lives has a folder of its own. */
export class StartedContestant implements Started {
  readonly #contestant: Contestant;
  readonly #folder: string;
  #running: Running;
  #lives = 1;
  #lost: string | undefined;

  private constructor(contestant: Contestant, folder: string, running: Running) {
    this.#contestant = contestant;
    this.#folder = folder;
    this.#running = running;
  }

  static async start(contestant: Contestant, folder: string): Promise<StartedContestant> {
    return new StartedContestant(contestant, folder, await startIn(contestant, join(folder, "1")));
  }

  get name(): string {
    return this.#contestant.name;
  }

  get running(): Running {
    return this.#running;
  }

  get lost(): string | undefined {
    return this.#lost;
  }

  async renew(): Promise<void> {
    try {
      await this.#running.stop();
      this.#lives += 1;
      this.#running = await startIn(this.#contestant, join(this.#folder, String(this.#lives)));
    } catch (error) {
      this.#lost = `it could not be started again: ${messageOf(error)}`;
    }
  }
}

async function startIn(contestant: Contestant, folder: string): Promise<Running> {
  mkdirSync(folder, { recursive: true });
  return await contestant.start({ folder });
}
