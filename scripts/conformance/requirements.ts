import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const behaviour = z.strictObject({ id: z.string().check(z.regex(/^S\d+$/)), says: z.string() });
const numberedCase = z.strictObject({
  id: z.string().check(z.regex(/^case \d+$/)),
  /** What any right engine does, what this project was asked for, or what it has decided. */
  kind: z.enum(["must", "seed", "choice"]),
  says: z.string(),
  /** Why there is nothing to test, where that is so. */
  without: z.optional(z.string()),
});
const groupOf = <Shape extends typeof behaviour | typeof numberedCase>(requirement: Shape) =>
  z.array(z.strictObject({ title: z.string(), requirements: z.array(requirement) }));
const requirements = z.strictObject({ behaviours: groupOf(behaviour), cases: groupOf(numberedCase) });

export type Requirements = z.infer<typeof requirements>;
export type Group = (Requirements["behaviours"] | Requirements["cases"])[number];
export type Requirement = Group["requirements"][number];

/** The behaviours and cases that this project answers for, each with its meaning. */
export function readRequirements(root: string): Requirements {
  return requirements.parse(JSON.parse(readFileSync(`${root}docs/conformance.json`, "utf8")));
}

export function allRequirements({ behaviours, cases }: Requirements): Requirement[] {
  return [...behaviours, ...cases].flatMap((group: Group): Requirement[] => [...group.requirements]);
}
