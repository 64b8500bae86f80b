import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { goTo, links } from "../data/place.ts";
import { recentlyOpened } from "../data/recent.ts";

/** Where there is no list: an execution is opened by its workflow and its id. */
export function OpenById({ workflows }: { workflows: readonly string[] }) {
  const workflow = useSignal<string | undefined>(undefined);
  const wished = useSignal("");
  const id = useId();
  const recent = recentlyOpened();
  const chosen = workflow.value ?? workflows[0] ?? "";
  const open = (event: Event) => {
    event.preventDefault();
    if (wished.value.trim() !== "" && chosen !== "") goTo(links.execution(chosen, wished.value.trim()));
  };
  return (
    <>
      <form class="open-by-id" onSubmit={open}>
        <label for={`${id}-workflow`}>Workflow</label>
        <select id={`${id}-workflow`} value={chosen} onChange={(event) => (workflow.value = event.currentTarget.value)}>
          {workflows.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label for={`${id}-id`}>Id</label>
        <input id={`${id}-id`} value={wished.value} onInput={(event) => (wished.value = event.currentTarget.value)} />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      {recent.length > 0 && (
        <section aria-label="Opened before">
          <h2>Opened before</h2>
          <ul class="family">
            {recent.map((opened) => (
              <li key={`${opened.workflow}/${opened.id}`}>
                <a href={links.execution(opened.workflow, opened.id)}>
                  {opened.workflow}/{opened.id}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
