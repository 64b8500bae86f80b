import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

const CONTEXT = "{ input, step, sleep, errors, exhausted, cancelled }";

/** A `catch` around a step. */
function catching(handler: string, context = CONTEXT): string {
  return workflow(`try { await step.run("charge", charge); } catch ${handler}`, context);
}

function swallowing(handler: string, rethrowing?: string) {
  const suggestions = rethrowing === undefined ? [] : [{ messageId: "rethrow", output: catching(rethrowing) }];
  return { code: catching(handler), errors: [{ messageId: "swallowed", suggestions }] };
}

testRule("no-swallowed-cancel", rules["no-swallowed-cancel"], {
  valid: {
    "accepts a catch that throws again": catching("(error) { format(error); throw error; }"),
    "accepts a catch that asks for the cancellation": catching(
      "(error) { if (cancelled(error)) await step.run('undo', refund); else format(error); }",
    ),
    "accepts a catch that asks for the error's class or name": `import { CancelledError } from "stepwell";
${catching("(error) { if (CancelledError.is(error)) return 1; return 2; }")}
${catching("(error) { if (error.name === 'CancelledError') return 1; return 2; }")}
${catching("(error) { rethrowCancellation(error); return 2; }")}`,
    "accepts a catch that handles what a cancellation is not, and throws the rest": catching(
      "(error) { if (exhausted(error)) throw errors.NO({}); throw error; }",
    ),
    "accepts a catch that goes on only for others": `import { HttpRefusal, exhausted as spent } from "stepwell";
${catching("(error) { if (!exhausted(error)) throw error; return 1; }")}
${catching("(error) { if (exhausted(error) || errors.NO.is(error)) { return 1; } throw error; }")}
${catching("(error) { if (exhausted(error) && error.attempts > 1) return 1; throw error; }")}
${catching("(error) { if (HttpRefusal.is(error)) return 1; else throw error; }")}
${catching("(error) { if (spent(error)) { format(1); } else { throw error; } return 1; }")}
${catching("(error) { if (error instanceof RangeError) return 1; throw error; }")}
${catching("(error) { if (error instanceof Error) throw error; return 1; }")}
${catching("(error) { if (input.strict) throw error; else throw errors.NO({}); }")}
${catching("(error) { try { format(error); } finally { throw error; } }")}
${catching("(error) { try { throw error; } catch (again) { throw again; } }")}
${catching("(error) { fail(error); } function fail(error) { throw errors.NO(error); }")}
${catching("(error) { return Promise.reject(error); }")}
${catching("(error) { done: { throw error; } }")}
${catching("(error) { await fail(error); } function fail(error) { throw errors.NO(error); }")}
${catching("(error) { switch (input.a) { case 1: format(1); } throw error; }")}
${catching("(error) { if (exhausted(error) && errors.NO.is(error)) return 1; throw error; }")}
${catching("(error) { if (error instanceof Error && !exhausted(error)) throw error; return 1; }")}
${catching("(error) { if (!(exhausted(error) || HttpRefusal.is(error))) throw error; return 1; }")}`,
    "accepts a catch around what asks for nothing": workflow(
      `try { format(input); JSON.parse(input.text); } catch { return 1; }`,
    ),
    "accepts a catch around an operation that fails elsewhere": workflow(
      `let paying; try { paying = step.run("charge", charge); } catch { return 1; } await paying;`,
    ),
    "accepts a catch in a step": workflow(
      `await step.run("charge", async () => { try { return await charge(); } catch { return 1; } });`,
    ),
    "accepts a catch around functions that are called later": workflow(
      `let ship; try { ship = async () => { await sleep("1s"); }; } catch { ship = undefined; } await ship?.();`,
    ),
    "accepts a handler that throws again": workflow(
      `
      await step.run("a", charge).catch((error) => { throw errors.NO({ error }); });
      await step.run("b", charge).catch((error) => Promise.reject(error));
      await step.run("c", charge).then((paid) => paid, (error) => { if (exhausted(error)) return 1; throw error; });
      await step.run("d", charge).then((paid) => paid);
      await step.run("e", charge).catch(store);`,
      CONTEXT,
    ),
    "accepts a finally": workflow(`try { await step.run("charge", charge); } finally { format(input); }`),
  },
  invalid: {
    "reports a catch that goes on, and suggests to throw the cancellation": swallowing(
      "(error) { format(error); }",
      "(error) { if (cancelled(error)) throw error; format(error); }",
    ),
    "reports a catch that does not name its error": swallowing(
      "{ return 1; }",
      "(error) { if (cancelled(error)) throw error; return 1; }",
    ),
    "suggests nothing where the name is taken": swallowing("{ const error = 1; return error; }"),
    "suggests nothing where the error is taken apart": swallowing("({ message }) { return message; }"),
    "reports a catch that handles some and goes on with the rest": swallowing(
      "(error) { if (exhausted(error)) throw errors.NO({}); }",
      "(error) { if (cancelled(error)) throw error; if (exhausted(error)) throw errors.NO({}); }",
    ),
    "reports a catch that throws sometimes": {
      code: [
        "(error) { if (input.strict) throw error; }",
        "(error) { if (input.strict) return 1; throw error; }",
        "(error) { if (!exhausted(error)) return 1; throw error; }",
        "(error) { if (exhausted(error) && !input.strict) throw error; }",
        "(error) { switch (input.mode) { case 1: return 1; } throw error; }",
        "(error) { for (const id of input.ids) throw error; }",
        "(error) { try { throw error; } catch { return 1; } }",
        "(error) { try { format(error); } catch (again) { throw again; } }",
        "(error) { return format(error); }",
        "(error) { await step.run('cancel-flight', () => cancelFlight()); }",
        "(error) { if (Object.is(error, 1) || error > 1 || input.a ?? error) throw error; }",
        "(error) { if (exhausted(error) && input.a) { throw error; } else if (-error) { throw error; } }",
        "(error) { if (exhausted(error) || input.a) throw error; format(await format(1)); }",
        "(error) { try { return 1; } catch { throw error; } }",
        "(error) { try { format(1); } finally { return 1; } throw error; }",
        "(error) { const later = () => { throw error; }; later; }",
      ]
        .map((handler) => catching(handler))
        .join("\n"),
      errors: Array.from({ length: 16 }, (_, index) => ({
        messageId: "swallowed",
        line: 4 + 5 * index,
        suggestions: 1,
      })),
    },
    "reports a loop that goes on": {
      code: workflow(`for (;;) { try { await step.run("charge", charge); break; } catch { continue; } }`, CONTEXT),
      errors: [{ messageId: "swallowed", suggestions: 1 }],
    },
    "takes the guard out of the context for its suggestion": {
      code: catching("(error) { }", "{ step }"),
      errors: [
        {
          messageId: "swallowed",
          suggestions: [
            {
              messageId: "rethrow",
              output: catching("(error) { if (cancelled(error)) throw error; }", "{ step, cancelled }"),
            },
          ],
        },
      ],
    },
    "reports a catch around a sleep, a combination, a local function, and a helper": {
      code: workflow(
        `
try { await context.sleep("1s"); } catch { }
try { await Promise.all([context.sleep("1s"), context.step.run("a", charge)]); } catch { }
try { await ship(); } catch { }
try { await store(context); } catch { }
try { for await (const paid of [context.sleep("1s")]) format(paid); } catch { }
try { await format(context.sleep("1s")); } catch { }
async function ship() { await context.sleep("1s"); }`,
        "context",
      ),
      errors: [5, 6, 7, 8, 9, 10].map((line) => ({ messageId: "swallowed", line, suggestions: 1 })),
    },
    "reports a handler that goes on": {
      code: workflow(`
await step.run("a", charge).catch(() => undefined);
await step.run("b", charge).then((paid) => paid, (error) => { format(error); });
await step.run("c", charge).then(format).catch(ignored);
function ignored() { return 1; }`),
      errors: [5, 6, 7].map((line) => ({ messageId: "swallowedByCatch", line })),
    },
  },
});
