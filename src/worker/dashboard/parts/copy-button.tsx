import { useSignal } from "@preact/signals";

const SHOWN_MS = 1_500;

/** Copies what `text` gives, and says whether that worked. */
export function CopyButton({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const said = useSignal<string | undefined>(undefined);
  const copy = async () => {
    said.value = await navigator.clipboard.writeText(text()).then(
      () => "Copied",
      // A browser may refuse it: whoever asked learns that.
      () => "Not allowed",
    );
    setTimeout(() => (said.value = undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      <span aria-live="polite">{said.value ?? label}</span>
    </button>
  );
}
