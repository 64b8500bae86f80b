import { OPERATIONS } from "./members.ts";

/** What a value is to a workflow. */
export type Role =
  /** The context of a workflow, or the rest of it after some members. */
  | { readonly kind: "context" }
  /** An object that holds some of a context's members. */
  | { readonly kind: "record"; readonly members: ReadonlyMap<string, Role> }
  | { readonly kind: "step" }
  /** A function that asks for an operation: `step.run`, `sleep`, `result` of a callback. */
  | { readonly kind: "operation"; readonly name: string }
  /** Another member of the context. */
  | { readonly kind: "member"; readonly name: string }
  /** A binding or a variable of `env`. */
  | { readonly kind: "binding" }
  /** What `createCallback` gives. */
  | { readonly kind: "callback" }
  /** What `step.fetch` gives: its body was journaled. */
  | { readonly kind: "answer" }
  /** Made from one of these by code that is not seen. */
  | { readonly kind: "derived" };

export const CONTEXT: Role = { kind: "context" };
export const STEP: Role = { kind: "step" };

/** The role of a member that is read from a value with a role. */
export function memberRole(role: Role, name: string | undefined): Role | undefined {
  switch (role.kind) {
    case "context":
      if (name === undefined) return undefined;
      if (name === "step") return STEP;
      return OPERATIONS.has(name) ? { kind: "operation", name } : { kind: "member", name };
    case "record":
      return name === undefined ? undefined : role.members.get(name);
    case "step":
      return name === "run" || name === "fetch" ? { kind: "operation", name: `step.${name}` } : undefined;
    case "callback":
      return name === "result" ? { kind: "operation", name: "result" } : undefined;
    case "member":
      return role.name === "env" ? { kind: "binding" } : undefined;
    case "binding":
      return role;
    case "answer":
    case "derived":
      return { kind: "derived" };
    case "operation":
      return undefined;
  }
}

/** True for what a workflow can be driven with: whoever is given it may ask for operations. */
export function canAsk(role: Role | undefined): boolean {
  switch (role?.kind) {
    case "context":
    case "step":
    case "operation":
    case "callback":
    case "derived":
      return true;
    case "record":
      return [...role.members.values()].some(canAsk);
    case "member":
    case "binding":
    case "answer":
    case undefined:
      return false;
  }
}
