import type { Node } from "./syntax/node.ts";

/** What is used of the types of typescript-eslint, which are the compiler's. */
interface Type {
  readonly flags: number;
  readonly types?: readonly Type[];
  readonly getProperty: (name: string) => unknown;
}

interface TypeServices {
  readonly program: object;
  readonly getTypeAtLocation: (node: Node) => Type;
}

/** `any` and `unknown`: flags of the compiler that have not changed since TypeScript 3.0. */
const NOTHING_KNOWN = 1 | 2;

/**
 * Whether an expression is a promise, by the types of the compiler. Undefined where it is not known: without types, and
 * for what is `any`.
 *
 * @param services the parser's, of any parser
 */
export function isPromiseByType(node: Node, services: unknown): boolean | undefined {
  if (!hasTypes(services)) return undefined;
  return isPromise(services.getTypeAtLocation(node));
}

function isPromise(type: Type): boolean | undefined {
  if ((type.flags & NOTHING_KNOWN) !== 0) return undefined;
  if (type.types === undefined) return type.getProperty("then") !== undefined;
  return type.types.some((each) => isPromise(each) === true);
}

function hasTypes(services: unknown): services is TypeServices {
  return (
    typeof services === "object" &&
    services !== null &&
    "program" in services &&
    services.program !== null &&
    services.program !== undefined &&
    "getTypeAtLocation" in services
  );
}
