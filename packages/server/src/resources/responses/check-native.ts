import { isRecord } from '@modelwire/adapter-kit';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { DocumentReader } from '../../structured-output/document-reader.ts';
import { invalidOutput } from '../../structured-output/invalid-output.ts';
import type { OutputGrammar, OutputGrammars } from '../../structured-output/output-grammars.ts';
import type { Place } from '../../structured-output/output-part.ts';
import { outcomeOf } from './native-events.ts';

type Event = NativeResponseEvent;
type Fields = Readonly<Record<string, unknown>>;

const calls = new Map([
  ['function_call', { kind: 'function', field: 'arguments' }],
  ['custom_tool_call', { kind: 'custom', field: 'input' }],
] as const);
const textDelta = 'response.output_text.delta';
const deltas: ReadonlySet<string> = new Set([
  textDelta,
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
]);
const ends: ReadonlySet<string> = new Set(Array.from(deltas, (type) => type.replace('.delta', '.done')));

/**
 * Passes on the events of a native response as far as its texts can still become the documents that the request asks for. Whether a text that is
 * none was truncated is known at the end of the response: until then, what follows waits.
 *
 * @throws RequestError 502, code `invalid_output`, if a text of a completed response is no document.
 */
export async function* checkNative(
  batches: AsyncIterable<readonly Event[]>,
  grammars: OutputGrammars,
  onInvalid: () => void,
): AsyncGenerator<readonly Event[]> {
  const checked = new CheckedResponse(grammars, onInvalid);
  for await (const batch of batches) {
    const ready: Event[] = [];
    for (const event of batch) ready.push(...checked.add(event));
    yield ready;
  }
}

/** A text that has to be a document. */
class CheckedText {
  readonly place: Place;
  readonly reader: DocumentReader;
  /** False for what turned out to be no document, such as a text before a call. */
  isDocument = true;
  #written = '';
  #released = '';
  #hasEnded = false;

  constructor(place: Place, grammar: OutputGrammar) {
    this.place = place;
    this.reader = grammar.read();
  }

  get length(): number {
    return this.#written.length;
  }

  write(text: string): void {
    this.#written += text;
    this.reader.write(text);
    this.#released += this.reader.take();
  }

  /** Returns whether it is the document as it is. */
  end(): boolean {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      if (this.reader.end() === 'unchanged') this.#released += this.reader.take();
    }
    return this.#released === this.#written;
  }

  /** Whether the client may receive so much of it. */
  canSend(length: number): boolean {
    return !this.isDocument || (this.#released.length >= length && this.#written.startsWith(this.#released));
  }
}

/** An event that waits until so much of a text may be sent. */
interface Waiting {
  readonly event: Event;
  readonly text: CheckedText | undefined;
  readonly length: number;
}

class CheckedResponse {
  readonly #grammars: OutputGrammars;
  readonly #onInvalid: () => void;
  /** By the position in the output. */
  readonly #texts = new Map<string, CheckedText>();
  #waiting: Waiting[] = [];
  #hasCalled = false;

  constructor(grammars: OutputGrammars, onInvalid: () => void) {
    this.#grammars = grammars;
    this.#onInvalid = onInvalid;
  }

  /** Returns the events that may be sent, in order. */
  add(event: Event): readonly Event[] {
    const outcome = outcomeOf(event);
    if (outcome) {
      if (!outcome.incompleteDetails) this.#checkAll(outcome.output);
      return [...this.#waiting.splice(0).map((one) => one.event), event];
    }
    const { type, delta, item } = event;
    if (type === 'response.output_item.added' && isRecord(item)) this.#startItem(event, item);
    const text = deltas.has(type) || ends.has(type) ? this.#textOf(event) : undefined;
    if (typeof delta === 'string') text?.write(delta);
    else text?.end();
    this.#waiting.push({ event, text, length: text?.length ?? 0 });
    const blocked = this.#waiting.findIndex((one) => one.text?.canSend(one.length) === false);
    return this.#waiting.splice(0, blocked < 0 ? this.#waiting.length : blocked).map((one) => one.event);
  }

  #startItem({ output_index }: Fields, item: Fields): void {
    const { type, name } = item;
    if (type === 'reasoning') return;
    // What precedes another message or a call is not the document.
    for (const text of this.#texts.values()) if (text.place.type === 'text') text.isDocument = false;
    const call = type === 'function_call' || type === 'custom_tool_call' ? calls.get(type) : undefined;
    if (!call || typeof name !== 'string') return;
    this.#hasCalled = true;
    const grammar = this.#grammars.tools[call.kind].get(name);
    const place = { type: 'tool_input', choice: 0, index: this.#texts.size, kind: call.kind, name } as const;
    if (grammar) this.#texts.set(keyOf({ output_index }), new CheckedText(place, grammar));
  }

  #textOf(event: Fields): CheckedText | undefined {
    const key = keyOf(event);
    const found = this.#texts.get(key);
    const { format } = this.#grammars;
    if (found || event['type'] !== textDelta || !format || this.#hasCalled) return found;
    const text = new CheckedText({ type: 'text', choice: 0 }, format);
    this.#texts.set(key, text);
    return text;
  }

  /** @param output The items of the response, of which some were in no other event. */
  #checkAll(output: readonly unknown[]): void {
    const streamed = new Set(Array.from(this.#texts.keys(), (key) => key.split(' ')[0]));
    for (const [output_index, item] of output.entries())
      if (isRecord(item) && !streamed.has(String(output_index))) this.#readItem(output_index, item);
    for (const text of this.#texts.values()) {
      if (!text.isDocument || text.end()) continue;
      this.#onInvalid();
      throw invalidOutput(text, text.reader.rejection, 1);
    }
  }

  #readItem(output_index: number, item: Fields): void {
    this.#startItem({ output_index }, item);
    const { type, content } = item;
    const field = type === 'custom_tool_call' ? 'input' : 'arguments';
    this.#texts.get(keyOf({ output_index }))?.write(String(item[field]));
    const parts: readonly unknown[] = type === 'message' && Array.isArray(content) ? content : [];
    for (const [content_index, part] of parts.entries())
      if (isRecord(part) && part['type'] === 'output_text')
        this.#textOf({ type: textDelta, output_index, content_index })?.write(String(part['text']));
  }
}

function keyOf({ output_index, content_index = '' }: Fields): string {
  return `${String(output_index)} ${String(content_index)}`;
}
