import { run } from "../../src/cli/run.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

export interface Around {
  readonly fetch?: typeof fetch;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly colours?: boolean;
  readonly columns?: number;
}

export const NOW = Date.UTC(2026, 10, 30, 12, 0, 10);

const noNetwork = () => {
  throw new Error("Nothing is to be sent.");
};

/** One call of the command, in this process. */
export async function runCli(args: readonly string[], around: Around = {}): Promise<Ran> {
  let out = "";
  let notes = "";
  const code = await run(args, {
    env: { STEPWELL_URL: "https://flows.example.com/flows/", STEPWELL_TOKEN: "full-token", ...around.env },
    version: "1.2.3",
    columns: around.columns ?? 100,
    colours: around.colours ?? false,
    write: (text) => void (out += text),
    writeNote: (text) => void (notes += text),
    readInput: async () => around.input ?? "",
    now: () => NOW,
    fetch: around.fetch ?? noNetwork,
  });
  return { code, out, notes };
}
