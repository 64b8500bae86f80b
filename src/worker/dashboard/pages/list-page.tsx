import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { DirectoryList, keyOf } from "../data/directory-list.ts";
import { address, goTo, links, settings } from "../data/place.ts";
import { loadWorkflows, workflows } from "../data/workflows.ts";
import { filterOfQuery, type ListFilter, queryOfFilter } from "../model/list-filter.ts";
import { ExecutionRow } from "../parts/execution-row.tsx";
import { ListFilterBar } from "../parts/list-filter-bar.tsx";
import { OpenById } from "../parts/open-by-id.tsx";
import { StartDialog } from "../parts/start-dialog.tsx";
import { Empty, Loading, Refusal } from "../parts/texts.tsx";

/** How long somebody has to stop writing before a search begins. */
const WRITING_MS = 250;

/** All executions. */
export function ListPage() {
  const { query } = address.value;
  const filter = useMemo(() => filterOfQuery(query), [query]);
  // What is written is in the address at once; what is looked for follows when somebody stops writing.
  const looked = useSignal(filter);
  useEffect(() => {
    const timer = setTimeout(() => (looked.value = filter), WRITING_MS);
    return () => clearTimeout(timer);
  }, [filter, looked]);
  const list = useMemo(() => new DirectoryList(looked.value), [looked.value]);
  useEffect(() => {
    list.start();
    return () => list.stop();
  }, [list]);
  useEffect(() => {
    document.title = "Executions · Stepwell";
    void loadWorkflows();
  }, []);
  const search = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLOListElement>(null);
  useEffect(() => followKeys(search, rows), []);
  const names = [...new Set(workflows.value?.map(({ name }) => name))];
  const refusal = list.refusal.value;
  const hasNoDirectory = refusal?.status === 404;
  return (
    <main>
      <header class="heading">
        <h1>Executions</h1>
        {settings.mayChange && <StartMenu names={names} chosen={filter.workflow} />}
      </header>
      {hasNoDirectory ? (
        <Empty title="This deployment has no directory.">
          <p>Without it executions cannot be listed. One is opened by its workflow and its id.</p>
          <OpenById workflows={names} />
        </Empty>
      ) : (
        <>
          <ListFilterBar
            filter={filter}
            counts={list.counts.value}
            workflows={names}
            search={search}
            onChange={showFilter}
          />
          <Refusal refusal={refusal} />
          <Rows list={list} element={rows} filter={filter} />
        </>
      )}
    </main>
  );
}

function showFilter(filter: ListFilter): void {
  goTo(`${links.list}${queryOfFilter(filter)}`, true);
}

interface RowsProps {
  readonly list: DirectoryList;
  readonly element: RefObject<HTMLOListElement | null>;
  readonly filter: ListFilter;
}

function Rows({ list, element, filter }: RowsProps) {
  const rows = list.rows.value;
  if (rows.length === 0 && list.isLoading.value) return <Loading what="the executions" />;
  const isFiltered = queryOfFilter(filter) !== "";
  if (rows.length === 0 && !list.hasMore.value && list.refusal.value === undefined) {
    return isFiltered ? (
      <Empty title="Nothing fits this filter.">
        <a href={links.list}>Show everything</a>
      </Empty>
    ) : (
      <Empty title="Nothing has been started yet.">
        <p>Executions stand here as soon as there are any, the newest first.</p>
      </Empty>
    );
  }
  return (
    <>
      <ol class="executions" ref={element} aria-label="Executions, the newest first">
        {rows.map((row) => (
          <ExecutionRow key={keyOf(row)} list={list} row={row} />
        ))}
      </ol>
      {list.hasMore.value && <More list={list} />}
    </>
  );
}

/** Asks for the next page when somebody has come near the end of what is shown. */
function More({ list }: { list: DirectoryList }) {
  const element = useRef<HTMLButtonElement>(null);
  const pages = list.pages.value;
  const isRefused = list.refusal.value !== undefined;
  useEffect(() => {
    // What was refused is asked for again when the list itself has an answer again, and when somebody presses it.
    if (element.current === null || isRefused) return undefined;
    // While a page is busy several come together: the last one tells how it is.
    const ask = (looks: readonly IntersectionObserverEntry[]) => {
      if (looks.at(-1)?.isIntersecting === true) void list.more();
    };
    const observer = new IntersectionObserver(ask, { rootMargin: "400px" });
    observer.observe(element.current);
    return () => observer.disconnect();
    // A new observer looks at once: a page may have brought nothing that moves the end away.
  }, [list, pages, isRefused]);
  return (
    <button type="button" ref={element} class="more" onClick={() => void list.more()}>
      More …
    </button>
  );
}

function StartMenu({ names, chosen }: { names: readonly string[]; chosen: string | undefined }) {
  const workflow = useSignal<string | undefined>(undefined);
  const start = (name: string) => (workflow.value = name);
  if (names.length === 0) return null;
  return (
    <>
      {chosen === undefined ? (
        <label>
          <span class="unseen">Start a new execution</span>
          <select
            value=""
            class="primary"
            onChange={(event) => {
              start(event.currentTarget.value);
              event.currentTarget.value = "";
            }}
          >
            <option value="">Start …</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ) : (
        <button type="button" class="primary" onClick={() => start(chosen)}>
          Start {chosen} …
        </button>
      )}
      {workflow.value !== undefined && (
        <StartDialog workflow={workflow.value} onClose={() => (workflow.value = undefined)} />
      )}
    </>
  );
}

/** `/` to search, `j` and `k` to go through the rows; Enter opens the one that has the focus, as for every link. */
function followKeys(search: RefObject<HTMLInputElement | null>, rows: RefObject<HTMLOListElement | null>): () => void {
  const follow = (event: KeyboardEvent) => {
    const isWriting =
      event.target instanceof Element && event.target.closest("input, select, textarea, dialog") !== null;
    if (event.key === "Escape" && event.target === search.current) search.current?.blur();
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      search.current?.focus();
    }
    if (event.key === "j" || event.key === "k") moveFocus(rows.current, event.key === "j" ? 1 : -1);
  };
  addEventListener("keydown", follow);
  return () => removeEventListener("keydown", follow);
}

function moveFocus(rows: HTMLElement | null, step: 1 | -1): void {
  const all = [...(rows?.querySelectorAll<HTMLElement>("a.execution-row") ?? [])];
  const place = all.findIndex((row) => row === document.activeElement);
  all[place === -1 ? 0 : Math.min(all.length - 1, Math.max(0, place + step))]?.focus();
}
