import type { Fetch } from "../../src/execution/ports.ts";

/** What a program's steps do to the world outside of the engine. */
export interface World {
  /** Calls of step functions, by the step's name with its place in the program. */
  readonly hits: Map<string, number>;
  /** Of callbacks, in the order in which the code has seen them. */
  readonly urls: Set<string>;
  readonly delay: (ms: number) => Promise<void>;
  /** Told before the function of a step, or of its rollback, does anything. */
  readonly called?: (step: string, what: "step" | "rollback") => void;
  /** Told when the code begins to race a wait, and when it has left it, by whoever cannot know that. */
  readonly listens?: (wait: Promise<unknown>, listener: "races" | "left") => void;
  /** Steps are named by their place in the program, and not all alike. */
  readonly namesPlaces?: boolean;
  /** The name of its service, where there are several worlds. */
  readonly service?: string;
  /** The execution fails instead of completing; a cancellation ends it cancelled. */
  readonly fails?: boolean;
}

/** The services of several worlds, by their names; more may come. */
export function servicesOf(worlds: ReadonlyMap<string, World>): Fetch {
  const services = new Map<string, Fetch>();
  return async (url, init) => {
    const { hostname } = new URL(url);
    const world = worlds.get(hostname);
    if (world === undefined) throw new TypeError(`There is no service ${hostname}.`);
    const service = services.get(hostname) ?? serviceOf(world);
    services.set(hostname, service);
    return await service(url, init);
  };
}

/** The service that programs call. A key that changes from one attempt to the next shows in its answer. */
export function serviceOf(world: World): Fetch {
  const keys = new Map<string, string | null>();
  return async (url, { headers }) => {
    const asked = new URL(url).searchParams;
    const path = asked.get("path") ?? "";
    world.called?.(path, "step");
    const count = (world.hits.get(path) ?? 0) + 1;
    world.hits.set(path, count);
    const key = new Headers(headers).get("Idempotency-Key");
    const known = keys.get(path) ?? key;
    keys.set(path, known);
    if (known !== key) return new Response("another key", { status: 400 });
    if (count > Number(asked.get("fails"))) return new Response(path, { status: Number(asked.get("ends")) });
    if (count % 2 === 0) throw new TypeError("connection lost");
    return new Response("", { status: 503, headers: { "Retry-After": "1" } });
  };
}
