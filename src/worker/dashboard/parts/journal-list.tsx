import { useSignal } from "@preact/signals";
import type { History, ShownEntry } from "../model/history.ts";
import { entryText } from "../model/entry-text.ts";
import { CopyButton } from "./copy-button.tsx";
import { Time } from "./texts.tsx";
import { ValueView } from "./value-view.tsx";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_HEIGHT = 30;

export interface JournalListProps {
  readonly entries: readonly ShownEntry[];
  readonly history: History;
  /** Of the file that is saved. */
  readonly fileName: string;
  /** The entry that somebody looks back at. */
  readonly shown: number | undefined;
  readonly onShow: (entry: number) => void;
}

/** The journal as it lies in storage, entry by entry. */
export function JournalList({ entries, history, fileName, shown, onShow }: JournalListProps) {
  const opened = useSignal<number | undefined>(undefined);
  const text = () => entries.map((entry) => JSON.stringify(entry)).join("\n");
  const entry = opened.value === undefined ? undefined : entries[opened.value];
  return (
    <section class="journal" aria-label="Journal">
      <div class="bar">
        <h2>Journal</h2>
        <span class="quiet">{entries.length} entries</span>
        <div class="buttons">
          <CopyButton text={text} label="Copy all" />
          <button type="button" class="small" onClick={() => save(fileName, text())}>
            Download
          </button>
        </div>
      </div>
      <VirtualRows
        label="Entries"
        count={entries.length}
        rowHeight={ROW_HEIGHT}
        revealed={shown}
        row={(index) => {
          const each = entries[index];
          if (each === undefined) return null;
          return (
            <button
              type="button"
              class={`entry ${index === shown ? "is-shown" : ""}`}
              aria-expanded={opened.value === index}
              onClick={() => (opened.value = opened.value === index ? undefined : index)}
            >
              <span class="number">{each.entry}</span>
              <Time at={each.at} form="exact" />
              <span class={`type type-${each.type}`}>{each.type}</span>
              <span class="said">{entryText(each, (op) => history.operations[op]?.name)}</span>
            </button>
          );
        }}
      />
      {entry !== undefined && (
        <div class="opened">
          <ValueView value={entry} label={`Entry ${entry.entry}`} />
          <button type="button" class="small" onClick={() => onShow(entry.entry)}>
            Show the execution as it was then
          </button>
        </div>
      )}
    </section>
  );
}

/** One entry a line, as JSON. */
function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/x-ndjson" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
