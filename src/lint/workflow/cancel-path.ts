import type * as ast from "@oxc-project/types";
import { memberName, type Node, unwrapped } from "../syntax/node.ts";
import { promiseMethodOf } from "./promises.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/** How a stretch of code ends for a cancellation that it was given. */
type End =
  /** It is thrown, or something else is. */
  | "throws"
  /** The function goes on elsewhere. */
  | "leaves"
  | "falls-through";

/** Classes of errors of the package that a cancellation is not of. */
const OTHER_CLASSES: ReadonlySet<string> = new Set([
  "DeclaredError",
  "ExecutionFailed",
  "HttpRefusal",
  "NonRetryableError",
  "OperationRefused",
  "RetryableError",
  "StepExhausted",
  "StepInterrupted",
  "StepTimeout",
]);

/** True for the body of a `catch` in which a cancellation ends without a throw, and without a look at what it is. */
export function goesOnAfterCancel(body: Node, code: WorkflowCode): boolean {
  // Whoever names it has thought of it.
  if ([body, ...code.ownNodes(body)].some(namesCancellation)) return false;
  return body.type === "BlockStatement" ? endOf(body, code) !== "throws" : !throwsAlways(body, code);
}

/**
 * `cancelled(error)`, `CancelledError.is(error)`, `error.name === "CancelledError"`, `rethrowCancellation(error)`; but not
 * `cancelFlight()`, nor a step of that name.
 */
function namesCancellation(node: Node): boolean {
  if (node.type === "Identifier") return /cancell?(?:ed|ation)/i.test(node.name);
  return node.type === "Literal" && node.value === "CancelledError";
}

function endOfAll(statements: readonly Node[], code: WorkflowCode): End {
  for (const statement of statements) {
    const end = endOf(statement, code);
    if (end !== "falls-through") return end;
  }
  return "falls-through";
}

function endOf(statement: Node, code: WorkflowCode): End {
  switch (statement.type) {
    case "ThrowStatement":
      return "throws";
    case "ExpressionStatement":
      return throwsAlways(statement.expression, code) ? "throws" : "falls-through";
    case "ReturnStatement":
      return statement.argument !== null && throwsAlways(statement.argument, code) ? "throws" : "leaves";
    case "BreakStatement":
    case "ContinueStatement":
      return "leaves";
    case "BlockStatement":
      return endOfAll(statement.body, code);
    case "LabeledStatement":
      return endOf(statement.body, code);
    case "IfStatement": {
      const holds = truthOf(statement.test, code);
      const then = endOf(statement.consequent, code);
      const otherwise = statement.alternate === null ? "falls-through" : endOf(statement.alternate, code);
      if (holds !== undefined) return holds ? then : otherwise;
      return either(then, otherwise);
    }
    case "TryStatement":
      return endOfTry(statement, code);
    case "SwitchStatement":
      return statement.cases.some((each) => endOfAll(each.consequent, code) === "leaves") ? "leaves" : "falls-through";
    default:
      return "falls-through";
  }
}

/** Of two ways that the code may take, the one that matters: whether it can go on. */
function either(one: End, other: End): End {
  if (one === other) return one;
  return one === "leaves" || other === "leaves" ? "leaves" : "falls-through";
}

function endOfTry({ block, handler, finalizer }: ast.TryStatement, code: WorkflowCode): End {
  const last = finalizer === null ? "falls-through" : endOf(finalizer, code);
  if (last !== "falls-through") return last;
  const end = endOf(block, code);
  if (handler === null) return end;
  const caught = endOf(handler.body, code);
  return end === "throws" ? caught : either(end, caught);
}

/** A function of the file that always throws, or `Promise.reject`. */
function throwsAlways(node: Node, code: WorkflowCode): boolean {
  const call = unwrapped(node);
  if (call.type === "AwaitExpression") return throwsAlways(call.argument, code);
  if (call.type !== "CallExpression") return false;
  if (promiseMethodOf(call, code) === "reject") return true;
  const fn = code.roles.localFunctionOf(call.callee);
  return fn !== undefined && fn.body?.type === "BlockStatement" && endOf(fn.body, code) === "throws";
}

/** What a test says of a cancellation; undefined where that cannot be told. */
function truthOf(test: Node, code: WorkflowCode): boolean | undefined {
  const value = unwrapped(test);
  switch (value.type) {
    case "UnaryExpression": {
      const truth = value.operator === "!" ? truthOf(value.argument, code) : undefined;
      return truth === undefined ? undefined : !truth;
    }
    case "LogicalExpression":
      return truthOfBoth(value, code);
    case "BinaryExpression":
      if (value.operator !== "instanceof") return undefined;
      return value.right.type === "Identifier" && value.right.name === "Error";
    case "CallExpression":
      return isGuardOfOthers(value.callee, code) ? false : undefined;
    default:
      return undefined;
  }
}

function truthOfBoth({ operator, left, right }: ast.LogicalExpression, code: WorkflowCode): boolean | undefined {
  const truths = [truthOf(left, code), truthOf(right, code)];
  // One that decides is enough; else both have to be known.
  const deciding = operator === "||";
  if (operator === "??" || truths.includes(deciding)) return operator === "??" ? undefined : deciding;
  return truths.includes(undefined) ? undefined : !deciding;
}

/** `exhausted`, `errors.CODE.is`, `HttpRefusal.is`. */
function isGuardOfOthers(callee: Node, { roles, packageNames }: WorkflowCode): boolean {
  const guard = unwrapped(callee);
  const role = roles.roleOf(guard);
  if (role?.kind === "member" && role.name === "exhausted") return true;
  if (packageNames.exportOf(guard) === "exhausted") return true;
  if (guard.type !== "MemberExpression" || memberName(guard) !== "is") return false;
  const owner = unwrapped(guard.object);
  if (OTHER_CLASSES.has(packageNames.exportOf(owner) ?? "")) return true;
  const family = owner.type === "MemberExpression" ? roles.roleOf(owner.object) : undefined;
  return family?.kind === "member" && family.name === "errors";
}
