/**
 * Reads a property of something that was thrown, which may be anything: a throwing getter or a revoked proxy reads as
 * `undefined`, because a failure that cannot be looked at must still end its attempt.
 */
export function readProperty(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
