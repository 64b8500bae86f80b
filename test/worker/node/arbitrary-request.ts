import * as fc from "fast-check";

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

/** As much of an OpenAPI document as requests are made of. */
export interface RequestDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A request that was made of an operation of the document. */
export interface ArbitraryRequest {
  readonly operationId: string;
  /** False: its method is another one than that of the operation. */
  readonly isOwnMethod: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Values that mean something to the application under test, by the names of parameters. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

const DEEP = "[".repeat(2_000) + "]".repeat(2_000);
const HOSTILE_TEXTS = [
  "",
  ".",
  "..",
  "__proto__",
  "constructor",
  "a/b",
  "a%2Fb",
  "a b",
  "é",
  "🦁",
  "\0",
  "\ud800",
  "-1",
  "1e9",
];
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, "x".repeat(129), "x".repeat(10_000)),
  fc.string({ unit: "binary", maxLength: 40 }),
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 9_007_199_254_740_991, [], {}, [[]], JSON.parse(DEEP)),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"role":"full"}}'), { constructor: { prototype: 1 } }, { a: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies that no value has. */
const rawBody = fc.oneof(
  fc.constantFrom("", "{", "undefined", "\ufeff{}", '{"id":1,"id":"twice"}', "{}{}", "NaN", DEEP, `{"input":${DEEP}}`),
  fc.constantFrom(
    '{"__proto__":{"id":"x"}}',
    '[["Date"]]',
    "[-7]",
    '[{"a":1},[1]]',
    " ".repeat(70_000),
    "token=a&token=b",
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
);

function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.examples !== undefined) return fc.constantFrom(...schema.examples);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf));
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 3 });
  return fc.oneof(...types.map((type) => valueOfType(type, schema)));
}

function valueOfType(type: string, { properties = {}, required = [], additionalProperties, items = {} }: Schema) {
  switch (type) {
    case "object": {
      const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(field)]));
      const known = fc.record(fields, { requiredKeys: [...required] });
      if (typeof additionalProperties !== "object") return known;
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), valueOf(additionalProperties), { maxKeys: 3 });
    }
    case "array":
      return fc.array(valueOf(items), { maxLength: 3 });
    case "integer":
      return fc.integer({ min: 0, max: 1_000 });
    case "number":
      return fc.double({ noNaN: true, min: -10, max: 1e6 });
    case "boolean":
      return fc.boolean();
    default:
      return fc.string({ maxLength: 20 });
  }
}

/** A document with one field that is another, or one field more. */
function spoilt(documents: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(documents, fc.nat(), hostileText, hostileValue).map(([document, at, name, value]) => {
    if (typeof document !== "object" || document === null) return value;
    const names = [...Object.keys(document), name];
    // Entries, not a spread: `__proto__` is to be a field of its own.
    return Object.fromEntries([...Object.entries(document), [names[at % names.length] ?? name, value]]);
  });
}

function bodyOf({ requestBody }: Operation): fc.Arbitrary<string | Uint8Array<ArrayBuffer> | undefined> {
  const media = requestBody?.content["application/json"];
  if (media === undefined) return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, rawBody);
  const fit = fc.oneof({ weight: 2, arbitrary: fc.constant(media.example) }, valueOf(media.schema ?? {}));
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: text(fit) },
    { weight: 3, arbitrary: text(spoilt(fit)) },
    { weight: 1, arbitrary: text(hostileValue) },
    { weight: 2, arbitrary: rawBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function segmentOf({ name, example }: Parameter, known: KnownValues): fc.Arbitrary<string> {
  const good = fc.constantFrom(...(known[name] ?? []), encodeURIComponent(String(example)));
  const bad = fc.oneof(
    hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom("%", "%zz", "%E0%A4%A", "%2e%2e", "%00", "a%2F..%2Fb", "constructor", "%F0%9F%A6%81"),
  );
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: bad });
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => {
      const fit = valueOf(schema).map(String);
      const value = fc.oneof({ weight: 5, arbitrary: fit }, hostileText);
      const times = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 1) }, fc.constant(2));
      const values = times.chain((length) => fc.array(value, { minLength: length, maxLength: length }));
      return values.map((texts) => texts.map((text) => [name, text.toWellFormed()]));
    });
  const stranger = fc.array(fc.tuple(hostileText, hostileText), { maxLength: 1 });
  const some = fc
    .tuple(fc.tuple(...pairs), fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, stranger))
    .map(
      ([own, others]) =>
        new URLSearchParams([...own.flat(), ...others].map((pair) => pair.map(wellFormed) as [string, string])),
    )
    .map((query) => (query.size === 0 ? "" : `?${query.toString()}`));
  // An operation with many parameters is hardly ever taken with some of each.
  return fc.oneof({ weight: 3, arbitrary: some }, fc.constant(""));
}

function wellFormed(text: string | undefined): string {
  return (text ?? "").toWellFormed();
}

const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  "Idempotency-Key": ["k-1", "k-2", "x".repeat(300), ""],
  Prefer: ["wait=1", "wait=60", "wait=-1", "wait=1e12", 'wait="5"', "wait=5, wait=6", "respond-async", ";;;", "wait"],
  "Last-Event-ID": ["0", "3", "-1", "abc", "9007199254740991", ""],
};
const headerText = fc.stringMatching(/^[ -~]{0,60}$/);

/** Headers that any request may have; `undefined` is none. The first one is the most usual one. */
const USUAL_HEADERS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  accept: [
    undefined,
    "*/*",
    "application/json",
    "application/vnd.stepwell+json",
    "text/html",
    "text/event-stream",
    "q=;;",
  ],
  origin: [undefined, undefined, undefined, "https://flows.example.com", "https://evil.example.com", "null"],
  "content-encoding": [undefined, undefined, undefined, undefined, "gzip", "identity"],
  traceparent: [undefined, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-zz"],
};
const CONTENT_TYPES = [
  "application/vnd.stepwell+json",
  "application/x-www-form-urlencoded",
  "text/plain",
  "application/json; charset=utf-16",
];

function mostly<T>(usual: T, others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
}

function headersOf({ parameters }: Operation, known: KnownValues): fc.Arbitrary<Record<string, string>> {
  const own = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) => [
      name,
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...(HEADER_VALUES[name] ?? [])) }, headerText),
    ]);
  const usual = Object.entries(USUAL_HEADERS).map(([name, values]) => [name, mostly(values[0], values)]);
  const credentials = known["credentials"] ?? [];
  return fc
    .tuple(
      fc.record(Object.fromEntries(own) as Record<string, fc.Arbitrary<string>>, { requiredKeys: [] }),
      fc.record(Object.fromEntries(usual) as Record<string, fc.Arbitrary<string | undefined>>),
      mostly(credentials[0] ?? "", credentials),
      mostly("application/json", CONTENT_TYPES),
    )
    .map(([given, rest, credential, contentType]) => {
      const name = credential.startsWith("stepwell_session") ? "cookie" : "authorization";
      const present = Object.entries(rest).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return {
        ...given,
        ...Object.fromEntries(present),
        "content-type": contentType,
        ...(credential !== "" && { [name]: credential }),
      };
    });
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Requests of one operation, most of them such as the document describes. */
function requestOf({ path, method, operation }: Place, known: KnownValues): fc.Arbitrary<ArbitraryRequest> {
  const names = operation.parameters.filter((parameter) => parameter.in === "path");
  return fc
    .record({
      method: mostly(method.toUpperCase(), ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"]),
      segments: fc.tuple(...names.map((parameter) => segmentOf(parameter, known))),
      query: queryOf(operation),
      headers: headersOf(operation, known),
      body: bodyOf(operation),
    })
    .map(({ segments, query, headers, body, method: verb }) => {
      const filled = names.reduce(
        (text, { name }, index) => text.replace(`{${name}}`, () => segments[index] ?? ""),
        path,
      );
      const isBodiless = verb === "GET" || verb === "HEAD";
      const { "content-type": contentType, ...others } = headers;
      const sent = isBodiless ? undefined : body;
      return {
        operationId: operation.operationId,
        isOwnMethod: verb === method.toUpperCase(),
        method: verb,
        path: filled + query,
        headers: sent === undefined || contentType === undefined ? others : { ...others, "content-type": contentType },
        body: sent,
      };
    });
}

/** Requests of all operations; those in `rare` are expensive to answer, and always the same. */
export function requestsOf(
  document: RequestDocument,
  known: KnownValues,
  rare: readonly string[],
): fc.Arbitrary<ArbitraryRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: rare.includes(operation.operationId) ? 2 : 40,
      arbitrary: requestOf({ path, method, operation }, known),
    })),
  );
  return fc.oneof(...operations);
}
