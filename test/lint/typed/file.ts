// The place of the code that the rules are given: typescript-eslint finds the types of files that are there.
export const place = "here";
