import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { askLink, type RequestRefused, refusalOf } from "../data/ask.ts";
import { valueText } from "../model/value-text.ts";
import { CopyButton } from "./copy-button.tsx";
import { Refusal } from "./texts.tsx";

/** Longer texts slow a page down: the rest is shown to who asks. In UTF-16 units. */
const SHOWN_LENGTH = 20_000;

/** What is no longer can stand in a line. */
const INLINE_LENGTH = 100;

interface ValueViewProps {
  readonly value: unknown;
  readonly label: string;
  /** In a line, where there is room for it. */
  readonly isInline?: boolean;
}

interface LargeValue {
  /** The path that answers with it. */
  readonly $value: string;
  /** In UTF-16 units of the codec's text. */
  readonly length: number;
}

function isLarge(value: unknown): value is LargeValue {
  if (typeof value !== "object" || value === null) return false;
  return "$value" in value && typeof value.$value === "string" && "length" in value;
}

/** A journaled value, laid out to be read. One that is large is asked for when somebody wants to see it. */
export function ValueView({ value, label, isInline = false }: ValueViewProps) {
  if (value === undefined) return <p class="quiet">{label}: nothing</p>;
  const line = isInline && !isLarge(value) ? valueText(value, 0) : undefined;
  if (line !== undefined && line.length <= INLINE_LENGTH) return <code>{line}</code>;
  return isLarge(value) ? <LargeValueView large={value} label={label} /> : <Laid value={value} label={label} />;
}

function Laid({ value, label }: { value: unknown; label: string }) {
  const isWhole = useSignal(false);
  // The page is drawn again each time the clock moves, and values never change.
  const text = useMemo(() => valueText(value), [value]);
  const isCut = !isWhole.value && text.length > SHOWN_LENGTH;
  return (
    <figure class="value">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {isCut ? `${text.slice(0, SHOWN_LENGTH)}…` : text}
      </pre>
      {isCut && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          Show all of {sizeText(text.length)}
        </button>
      )}
    </figure>
  );
}

function LargeValueView({ large, label }: { large: LargeValue; label: string }) {
  const loaded = useSignal<{ readonly value: unknown } | undefined>(undefined);
  const refusal = useSignal<RequestRefused | undefined>(undefined);
  const isLoading = useSignal(false);
  const load = async () => {
    isLoading.value = true;
    try {
      loaded.value = { value: await askLink(large.$value) };
      refusal.value = undefined;
    } catch (fault) {
      refusal.value = refusalOf(fault);
    } finally {
      isLoading.value = false;
    }
  };
  if (loaded.value !== undefined) return <Laid value={loaded.value.value} label={label} />;
  return (
    <div class="value">
      <p>{label}</p>
      <button type="button" disabled={isLoading.value} onClick={() => void load()}>
        {isLoading.value ? "Loading …" : `Load ${sizeText(large.length)}`}
      </button>
      <Refusal refusal={refusal.value} />
    </div>
  );
}

function sizeText(length: number): string {
  return length < 1_048_576 ? `${Math.ceil(length / 1_024)} KiB` : `${(length / 1_048_576).toFixed(1)} MiB`;
}
