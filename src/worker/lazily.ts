/**
 * Makes it when it is first asked for, and once. For what only some requests need and what is slow to make in a cold
 * isolate: schemas, most of all.
 */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
