import type { WorkflowContext } from "stepwell";

/** Code of another file, of which the rules see no more than its types. */
export interface Shop {
  readonly notify: (context: WorkflowContext, to: string) => Promise<void>;
  readonly show: (context: WorkflowContext) => void;
  readonly charge: (cents: number) => Promise<string>;
  readonly format: (cents: number) => string;
  readonly maybe: (cents: number) => Promise<string> | undefined;
  readonly unknown: (cents: number) => unknown;
}

export declare const shop: Shop;
