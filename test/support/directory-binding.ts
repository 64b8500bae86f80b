import { env } from "cloudflare:workers";
import type { DirectoryClass } from "../../src/index.workerd.ts";
import { registerDirectory } from "../workers/registry.ts";

let bindings = 0;

/** The binding of a directory of its own, whose objects are of this class and have these bindings besides. */
export function directoryBinding(Class: DirectoryClass, bindingsOf: () => object) {
  bindings += 1;
  const prefix = `directory-of-${bindings}`;
  return {
    idFromName: (name: string) => {
      registerDirectory(`${prefix}/${name}`, (ctx, bound) => new Class(ctx, { ...bound, ...bindingsOf() }));
      return env.DIRECTORY.idFromName(`${prefix}/${name}`);
    },
    get: (id: DurableObjectId) => env.DIRECTORY.get(id),
  };
}
