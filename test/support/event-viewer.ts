/** An event as a reader of a stream gets it. */
export interface SeenEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The blocks of a text in the form of server-sent events, read as the standard has it; comments are counted. */
export class EventText {
  readonly events: SeenEvent[] = [];
  comments = 0;
  #rest = "";

  push(text: string): void {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#read(block);
  }

  /** True where the text broke off inside a block. */
  get isTorn(): boolean {
    return this.#rest !== "";
  }

  #read(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const [name = "", ...value] = line.split(":");
      if (name === "") this.comments += 1;
      else fields.set(name, value.join(":").trimStart());
    }
    const data = fields.get("data");
    if (data === undefined) return;
    // The cast: an entry is an object.
    const document = JSON.parse(data) as Readonly<Record<string, unknown>>;
    this.events.push({ id: Number(fields.get("id")), type: fields.get("event") ?? "message", data: document });
  }
}

/** Reads a whole stream of events, which has to end. */
export async function readEvents(stream: ReadableStream<Uint8Array> | null): Promise<EventText> {
  const text = new EventText();
  const decoder = new TextDecoder();
  for await (const chunk of stream ?? []) text.push(decoder.decode(chunk, { stream: true }));
  return text;
}
