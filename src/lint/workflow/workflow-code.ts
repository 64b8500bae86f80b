import type { Rule } from "eslint";
import { allNodes, type FunctionNode, ownNodes } from "../syntax/functions.ts";
import { Names, type ScopeManager } from "../syntax/names.ts";
import type { Node, VisitorKeys } from "../syntax/node.ts";
import type { Asking } from "./asking.ts";
import { PackageNames } from "./package-names.ts";
import { Regions } from "./regions.ts";
import { RoleFinder } from "./role-finder.ts";
import { findRoots, type Root } from "./roots.ts";

/** What the rules know about one file. */
export interface WorkflowCode {
  readonly keys: VisitorKeys;
  readonly names: Names;
  readonly packageNames: PackageNames;
  readonly roles: RoleFinder;
  readonly asking: Asking;
  readonly regions: Regions;
  /** Every node of the file, in the order of the code. */
  readonly nodes: readonly Node[];
  readonly roots: readonly Root[];
  /** What runs as a part of workflows, without what runs in their steps. */
  readonly workflowFunctions: readonly FunctionNode[];
  /** What runs in steps and their rollbacks. */
  readonly stepFunctions: readonly FunctionNode[];
  /** The nodes of a function without those of functions in it. */
  readonly ownNodes: (root: Node) => readonly Node[];
}

/** Names without which a file has nothing to do with workflows. */
const MARKS = /\b(?:defineWorkflow|WorkflowContext|ContextOf|DeclaredContext|Step|Callback)\b/;

const PACKAGE = "stepwell";

const known = new WeakMap<object, WorkflowCode | undefined>();

/** Looks at a file once for all rules. Undefined where it holds no workflow code. */
export function workflowCodeOf({ sourceCode, settings }: Rule.RuleContext): WorkflowCode | undefined {
  // The tree, as one object stands for the source code of all files in oxlint.
  const { ast } = sourceCode;
  if (!known.has(ast)) {
    // The casts: ESLint's types know nothing of TypeScript's syntax, which its parsers and oxlint add.
    const program = ast as unknown as Node;
    const scopeManager = sourceCode.scopeManager as unknown as ScopeManager;
    const source = { program, scopeManager, keys: sourceCode.visitorKeys, modules: modulesOf(settings) };
    known.set(ast, MARKS.test(sourceCode.text) ? analyse(source) : undefined);
  }
  return known.get(ast);
}

interface Source {
  readonly program: Node;
  readonly scopeManager: ScopeManager;
  readonly keys: VisitorKeys;
  readonly modules: ReadonlySet<string>;
}

function analyse({ program, scopeManager, keys, modules }: Source): WorkflowCode | undefined {
  const nodes = allNodes(program, keys);
  const names = new Names(scopeManager);
  const packageNames = new PackageNames(names, modules);
  const roles = new RoleFinder(packageNames);
  const roots = findRoots({ nodes, keys, packageNames, roles });
  if (roots.length === 0) return undefined;
  const regions = new Regions({ nodes, keys, names, roles }, roots);
  const ownNodesByRoot = new Map<Node, readonly Node[]>();
  return {
    keys,
    names,
    packageNames,
    roles,
    asking: regions.asking,
    regions,
    nodes,
    roots,
    workflowFunctions: [...regions.rootsByFunction.keys()],
    stepFunctions: [...regions.stepsByFunction.keys()],
    ownNodes(root) {
      const own = ownNodesByRoot.get(root) ?? ownNodes(root, keys);
      ownNodesByRoot.set(root, own);
      return own;
    },
  };
}

/**
 * `settings: { stepwell: { modules: ["./flows.ts"] } }` names modules that pass the package's exports on.
 *
 * @throws TypeError for anything else
 */
function modulesOf(settings: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const own = settings[PACKAGE];
  const modules = typeof own === "object" && own !== null && "modules" in own ? own.modules : [];
  if (!Array.isArray(modules) || !modules.every((name): name is string => typeof name === "string")) {
    throw new TypeError(
      `Cannot use settings.stepwell.modules as it must be a list of module names: ` +
        `current value is ${JSON.stringify(modules)}`,
    );
  }
  return new Set([PACKAGE, ...modules]);
}
