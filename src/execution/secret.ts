import { hashText } from "../journal/draw.ts";

/** A binding or secret of the Worker. */
export function bindingOf(env: unknown, name: string): unknown {
  return typeof env === "object" && env !== null ? Reflect.get(env, name) : undefined;
}

/** A secret that is set; an empty one is not. */
export function secretOf(env: unknown, name: string): string | undefined {
  const value = bindingOf(env, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** In constant time: the hashes are of one length, and where they first differ tells nothing about the secret. */
export function isEqualSecret(presented: string, secret: string): boolean {
  const a = hashText(presented);
  const b = hashText(secret);
  let difference = 0;
  for (let index = 0; index < b.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
