import { links } from "../data/place.ts";
import type { Phrase, Sentence } from "../model/phrase.ts";
import { Time } from "./texts.tsx";

/** More than these are counted. */
const OTHERS_SHOWN = 3;

export interface SentenceViewProps {
  readonly sentence: Sentence;
  /** What its times are told against. */
  readonly against: number;
  /** Shows an operation that the sentence names. */
  readonly onPick: (op: number) => void;
}

/** What the execution is doing now. */
export function SentenceView({ sentence, against, onPick }: SentenceViewProps) {
  const { tone, phrases, others } = sentence;
  const rest = others.length - OTHERS_SHOWN;
  return (
    <section class={`sentence tone-${tone}`} aria-label="What it is doing">
      <p class="sentence-main">
        <Phrases phrases={phrases} against={against} onPick={onPick} />
      </p>
      {others.length > 0 && (
        <ul>
          {others.slice(0, OTHERS_SHOWN).map((other, index) => (
            <li key={index}>
              <Phrases phrases={other} against={against} onPick={onPick} />
            </li>
          ))}
          {rest > 0 && <li>and {rest} more, as the timeline shows.</li>}
        </ul>
      )}
    </section>
  );
}

type Surroundings = Pick<SentenceViewProps, "against" | "onPick">;

function Phrases({ phrases, ...surroundings }: Surroundings & { phrases: readonly Phrase[] }) {
  return (
    <>
      {phrases.map((phrase, index) => (
        <PhraseView key={index} phrase={phrase} {...surroundings} />
      ))}
    </>
  );
}

function PhraseView({ phrase, against, onPick }: Surroundings & { phrase: Phrase }) {
  switch (phrase.kind) {
    case "text":
      return <>{phrase.text}</>;
    case "time":
      return <Time at={phrase.at} against={against} />;
    case "quote":
      return <q>{phrase.text}</q>;
    case "execution": {
      const { workflow, id } = phrase.execution;
      return (
        <a href={links.execution(workflow, id)}>
          {workflow}/{id}
        </a>
      );
    }
    case "name": {
      const { op, text } = phrase;
      if (op === undefined) return <strong>{text}</strong>;
      return (
        <button type="button" class="as-text" onClick={() => onPick(op)}>
          {text}
        </button>
      );
    }
  }
}
