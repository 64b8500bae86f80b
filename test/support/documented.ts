import { ANSWERS } from "../../src/worker/openapi/answers.ts";
import { type DescribedOperation, problemCodesOf } from "../../src/worker/openapi/document.ts";
import { describedOperations } from "../../src/worker/router.ts";

/** An answer as it came. */
export interface GivenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Made once: they are the same for every app. */
let known: readonly DescribedOperation[] | undefined;

function operationAt(method: string, url: string): DescribedOperation | undefined {
  known ??= describedOperations();
  const { pathname } = new URL(url);
  // The router may be served under a path.
  const isAt = ({ path }: DescribedOperation) =>
    new RegExp(`^(?:/[^/]+)*?${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname);
  return known.find((operation) => operation.method === method && isAt(operation));
}

/** Throws where an operation of the OpenAPI document gave what the document does not know. */
export function checkDocumented({ method, url, status, contentType, text }: GivenAnswer): void {
  const operation = operationAt(method, url);
  if (operation === undefined || contentType === null || text === "") return;
  const where = `${method} ${operation.path} ${status}`;
  if (contentType === "application/problem+json") {
    const { code } = ANSWERS.Problem.parse(JSON.parse(text));
    const codes: ReadonlySet<string> = problemCodesOf(method, operation.path, operation.description);
    if (!codes.has(code)) throw new Error(`${where}: the problem ${code} is not documented.`);
    return;
  }
  // What a deployment's own `auth` answers is its own.
  if (!/^application\/(?:vnd\.stepwell\+)?json$/.test(contentType)) return;
  const answer = operation.description.answers[status as keyof typeof operation.description.answers];
  if (answer?.schema === undefined) throw new Error(`${where}: the answer is not documented.`);
  const result = ANSWERS[answer.schema].safeParse(JSON.parse(text));
  if (!result.success) throw new Error(`${where}: ${JSON.stringify(result.error.issues)} in ${text}`);
}
