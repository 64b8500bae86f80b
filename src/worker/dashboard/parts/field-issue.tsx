import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { DraftIssue } from "../model/form-draft.ts";

/** What is wrong with what was written into a form: each is shown at its field. */
export const Issues = createContext<readonly DraftIssue[]>([]);

export function useIssue(path: string): string | undefined {
  return useContext(Issues).find((issue) => issue.path === path)?.message;
}

export interface FieldIssueProps {
  /** Of this text, by which its field refers to it. */
  readonly id: string;
  readonly message: string | undefined;
}

export function FieldIssue({ id, message }: FieldIssueProps) {
  return message === undefined ? null : (
    <p id={id} class="issue" role="alert">
      It {message}.
    </p>
  );
}

/** Of a part that has no control of its own. */
export function PartIssue({ path }: { path: string }) {
  return <FieldIssue id={`issue ${path}`} message={useIssue(path)} />;
}
