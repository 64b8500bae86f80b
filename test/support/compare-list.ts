/** One row of a list. */
export interface Listed {
  readonly workflow: string;
  readonly id: string;
  readonly state: string;
}

/** Where a list of all executions differs from what they are, in words. `states` has each by `workflow/id`. */
export function compareList(listed: readonly Listed[], states: ReadonlyMap<string, string>): readonly string[] {
  const byName = Map.groupBy(listed, ({ workflow, id }) => `${workflow}/${id}`);
  const unknown = [...byName.keys()].filter((name) => !states.has(name));
  const wrong = [...states].flatMap(([name, is]) => {
    const says = (byName.get(name) ?? []).map(({ state }) => state);
    const isRight = says.length === 1 && says[0] === is;
    return isRight ? [] : [`${name} is ${is}, and is listed as ${says.join(" and ") || "nothing"}`];
  });
  return [...unknown.map((name) => `${name} is listed, and does not exist`), ...wrong];
}
