import { signal } from "@preact/signals";
import type { CountsDocument } from "../../openapi/answers.ts";
import { directoryQuery, type ListFilter } from "../model/list-filter.ts";
import type { ExecutionSummary } from "../../../journal/list.ts";
import { ask, type RequestRefused, refusalOf } from "./ask.ts";
import { now } from "./clock.ts";
import type { View } from "./watched-execution.ts";

interface Page {
  readonly executions: readonly ExecutionSummary[];
  readonly next: string | null;
}

/** How often the counts and the newest executions are asked for. */
const REFRESH_MS = 3_000;
/** How often what runs or waits is asked what it is doing, while somebody sees it. */
const LOOK_MS = 15_000;
const PAGE_EXECUTIONS = 50;
/** Views that are asked for at a time. */
const LOOKS_AT_ONCE = 4;

export function keyOf({ workflow, id }: Pick<ExecutionSummary, "workflow" | "id">): string {
  return `${workflow}/${id}`;
}

/** The executions that a filter shows, newest first, as far as somebody has scrolled. */
export class DirectoryList {
  readonly rows = signal<readonly ExecutionSummary[]>([]);
  readonly counts = signal<CountsDocument | undefined>(undefined);
  readonly refusal = signal<RequestRefused | undefined>(undefined);
  readonly isLoading = signal(true);
  /** Whether there are more than are shown. */
  readonly hasMore = signal(false);
  /** Counts the pages after the first that came. */
  readonly pages = signal(0);
  /** What those that have not ended are doing, by their keys. */
  readonly views = signal<ReadonlyMap<string, View>>(new Map());
  readonly #query: URLSearchParams;
  #next: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #isPaging = false;
  readonly #inSight = new Set<string>();
  readonly #lookedAt = new Map<string, { readonly at: number; readonly state: string }>();
  #looks = 0;

  constructor(filter: ListFilter) {
    this.#query = directoryQuery(filter, now.peek());
  }

  start(): void {
    void this.#refresh();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** The next page. One may be empty although others follow. */
  async more(): Promise<void> {
    if (this.#next === null || this.#isPaging) return;
    this.#isPaging = true;
    try {
      const page = await this.#page(this.#next);
      this.#next = page.next;
      this.pages.value += 1;
      this.#show([...this.rows.peek(), ...page.executions]);
      this.refusal.value = undefined;
    } catch (fault) {
      this.refusal.value = refusalOf(fault);
    } finally {
      this.#isPaging = false;
      this.hasMore.value = this.#next !== null;
    }
  }

  /** What somebody sees is asked what it is doing. */
  see(key: string, isInSight: boolean): void {
    if (isInSight) this.#inSight.add(key);
    else this.#inSight.delete(key);
    this.#look();
  }

  async #refresh(): Promise<void> {
    if (document.visibilityState === "visible") {
      try {
        const [page, counts] = await Promise.all([this.#page(undefined), ask<CountsDocument>("/v1/counts")]);
        this.counts.value = counts;
        this.#merge(page);
        this.refusal.value = undefined;
      } catch (fault) {
        this.refusal.value = refusalOf(fault);
      }
      this.isLoading.value = false;
      this.#look();
    }
    // Without a directory there is nothing to come back for.
    const isPointless = this.refusal.peek()?.status === 404;
    if (!this.#isStopped && !isPointless) this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  async #page(cursor: string | undefined): Promise<Page> {
    const query = new URLSearchParams(this.#query);
    query.set("limit", String(PAGE_EXECUTIONS));
    if (cursor !== undefined) query.set("cursor", cursor);
    return await ask<Page>(`/v1/executions?${query}`);
  }

  /** The newest page again: what it holds is newer, and what it lacks of its stretch is gone. */
  #merge({ executions, next }: Page): void {
    const rows = this.rows.peek();
    const isFirst = rows.length === 0;
    const last = executions.at(-1);
    const isWhole = next === null || last === undefined;
    const place = isWhole ? -1 : rows.findIndex((row) => keyOf(row) === keyOf(last));
    // Where all of the page is new, the pages after it begin anew.
    const rest = place === -1 ? [] : rows.slice(place + 1);
    if (isFirst || place === -1) this.#next = next;
    this.#show([...executions, ...rest]);
    this.hasMore.value = this.#next !== null;
  }

  #show(rows: readonly ExecutionSummary[]): void {
    this.rows.value = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
  }

  #look(): void {
    for (const row of this.rows.peek()) {
      if (this.#looks >= LOOKS_AT_ONCE || this.#isStopped) return;
      const key = keyOf(row);
      const last = this.#lookedAt.get(key);
      const isFresh = last !== undefined && last.state === row.state && now.peek() - last.at < LOOK_MS;
      if (row.endedAt !== undefined || !this.#inSight.has(key) || isFresh) continue;
      this.#lookedAt.set(key, { at: now.peek(), state: row.state });
      void this.#lookAt(row);
    }
  }

  async #lookAt(row: ExecutionSummary): Promise<void> {
    this.#looks += 1;
    try {
      const path = `/v1/workflows/${row.workflow}/executions/${encodeURIComponent(row.id)}`;
      const view = await ask<View>(path);
      this.views.value = new Map(this.views.peek()).set(keyOf(row), view);
    } catch {
      // The list itself says whether the Worker can be reached; an execution that is gone leaves it by itself.
    } finally {
      this.#looks -= 1;
    }
    this.#look();
  }
}
