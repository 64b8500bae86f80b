/** What stands at a path, and the parts of the path that a pattern leaves open, by their names. */
export interface Found<Target> {
  readonly target: Target;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds what stands at a path. A pattern is a path of which some parts are open: `/v1/workflows/:workflow`. It is a list
 * that is walked, as an index of patterns would have to be built before the first request is answered, and costs more
 * than a cold isolate has time for.
 */
export class PathTable<Target> {
  readonly #rows: readonly { readonly parts: readonly string[]; readonly target: Target }[];

  constructor(targets: Readonly<Record<string, Target>>) {
    this.#rows = Object.entries(targets).map(([pattern, target]) => ({ parts: pattern.split("/"), target }));
  }

  /** The first that fits. An open part is never empty. */
  find(path: string): Found<Target> | undefined {
    const parts = path.split("/");
    const row = this.#rows.find((one) => fits(one.parts, parts));
    return row && { target: row.target, parameters: openParts(row.parts, parts) };
  }
}

const isOpen = (part: string): boolean => part.startsWith(":");

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, i) => (isOpen(part) ? parts[i] !== "" : part === parts[i]));
}

function openParts(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> {
  const open = pattern.flatMap((part, i) => (isOpen(part) ? [[part.slice(1), decoded(parts[i] ?? "")] as const] : []));
  return Object.fromEntries(open);
}

/** What is no percent encoding of UTF-8 stays as it came. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
