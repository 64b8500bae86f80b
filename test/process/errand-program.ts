import type { Answer, Plan } from "../../examples/flaky-service.ts";
import type { Draw } from "../support/seeded-draw.ts";

/** The input of one `errand`, and how often and how slowly the service fails each of its steps. */
export interface ErrandProgram {
  readonly id: string;
  readonly input: { readonly stages: readonly Stage[] };
}

export interface Stage {
  readonly steps: readonly { readonly name: string; readonly intervalMs: number }[];
  readonly restMs: number;
}

export interface Workload {
  readonly programs: readonly ErrandProgram[];
  readonly plan: Plan;
  /** Lets the last step of every execution through; until then the service refuses it. */
  readonly openGate: () => void;
}

const STAGES = 4;
const STEPS_PER_STAGE = 3;

/** Programs whose steps fail, take time and rest as `draw` has it, and a service that plays along. */
export function drawWorkload(executions: number, draw: Draw): Workload {
  const answersByPath = new Map<string, readonly Answer[]>();
  let open = false;
  const programs = Array.from({ length: executions }, (_, index): ErrandProgram => {
    const id = `errand-${index}`;
    const stages = Array.from({ length: STAGES }, (_s, stage) => ({
      steps: Array.from({ length: STEPS_PER_STAGE }, (_n, step) => {
        const name = `step-${stage}-${step}`;
        answersByPath.set(`/${id}/${name}`, drawAnswers(draw));
        return { name, intervalMs: draw(100, 600) };
      }),
      restMs: draw(300, 1_500),
    }));
    return { id, input: { stages } };
  });
  return {
    programs,
    plan: (url, hit) => {
      if (url.pathname.endsWith("/finish")) return open ? { kind: "ok" } : COME_BACK;
      return answersByPath.get(url.pathname)?.[hit - 1] ?? { kind: "ok" };
    },
    openGate: () => {
      open = true;
    },
  };
}

const COME_BACK: Answer = { kind: "refuse", status: 503, retryAfter: { form: "seconds", seconds: 1 } };

/** Up to two failures, then a slow success. What comes after it is a repetition, and succeeds at once. */
function drawAnswers(draw: Draw): readonly Answer[] {
  const failures: readonly Answer[] = [{ kind: "refuse", status: 500 }, COME_BACK, { kind: "reset" }];
  const drawn = Array.from({ length: draw(0, 2) }, () => failures[draw(0, failures.length - 1)] ?? COME_BACK);
  return [...drawn, { kind: "slow", ms: draw(0, 700) }];
}
