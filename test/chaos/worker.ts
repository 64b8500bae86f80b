import { stepwell } from "stepwell";
import { expense } from "../../examples/approval/index.ts";
import { fanOut } from "../../examples/fan-out.ts";
import { order } from "../../examples/order.ts";
import { album, photo } from "../../examples/parent-child/index.ts";
import { reminder } from "../../examples/reminder.ts";
import { saga } from "../../examples/saga.ts";
import { report } from "../../examples/schedule/index.ts";
import { invoice, type Bank } from "../../examples/testing/invoice.ts";

/** The workflows of all examples in one Worker. */
const app = stepwell({ workflows: [order, fanOut, reminder, saga, expense, invoice, album, photo, report] });

/** The bank of `invoice` is a binding that can be called; here it keeps its books at the flaky service. */
function bankOf({ FLAKY_URL }: Cloudflare.Env): Bank {
  const post = async (path: string, key: string) => {
    const response = await fetch(`${FLAKY_URL}/jobs/${path}`, { method: "POST", headers: { "Idempotency-Key": key } });
    if (!response.ok) throw new Error(`The bank answered ${response.status}.`);
    return await response.json<{ readonly id: string }>();
  };
  return {
    hold: async (cents, key) => ({ id: (await post(`hold-${cents}`, key)).id }),
    release: async (id, key) => void (await post(`release-${id}`, key)),
  };
}

export class Execution extends app.Execution {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, { ...env, BANK: bankOf(env), FIGURES_URL: env.FLAKY_URL });
  }
}

export const { Directory } = app;

export default app;
