/** An execution by what its object is named after: ids are unique within their workflow. */
export interface ExecutionName {
  readonly workflow: string;
  readonly id: string;
}

/** As one text, which is also the name of its object: `order/order-42`. Neither part has a slash. */
export function nameText({ workflow, id }: ExecutionName): string {
  return `${workflow}/${id}`;
}
