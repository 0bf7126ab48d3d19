import { parseJson } from '@modelwire/adapter-kit';
import type { ChatEvent } from '@modelwire/ports';

/** An event with content of a reply whose parts are sequential. */
export type ContentEvent = Extract<
  ChatEvent,
  { readonly type: 'text' | 'refusal' | 'annotations' | 'extra' | 'tool_call' | 'tool_input' }
>;

/** The key of the part that an event belongs to: text, reasoning, or one call of a tool. Undefined for events without output. */
function partKey(event: ContentEvent): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text === '' && !event.logprobs ? undefined : 'text';
    case 'refusal':
    case 'annotations':
      return 'text';
    case 'extra':
      return reasoningOf(event.delta) === '' ? undefined : 'reasoning';
    case 'tool_call':
    case 'tool_input':
      return `call ${event.index}`;
  }
}

/** Reasoning text, under the field names that model servers use. */
export function reasoningOf({ reasoning_content, reasoning }: Readonly<Record<string, unknown>>): string {
  if (typeof reasoning_content === 'string') return reasoning_content;
  return typeof reasoning === 'string' ? reasoning : '';
}

/** Receives the content of one choice, part by part. */
interface PartReceiver {
  /** Adds an event to the open part, or begins one with it. */
  add(event: ContentEvent): void;
  /** Ends the open part. */
  close(status: 'completed' | 'incomplete'): void;
}

/**
 * Puts the content of a choice in the order of its parts: a part is complete before the next one starts, even where an engine interleaves the
 * arguments of several calls.
 */
export class ContentOrder {
  readonly #receiver: PartReceiver;
  /** Events of other parts that wait until the open call is complete. */
  #deferred: ContentEvent[] = [];
  #open: OpenPart | undefined;

  constructor(receiver: PartReceiver) {
    this.#receiver = receiver;
  }

  add(event: ContentEvent): void {
    const key = partKey(event);
    if (key === undefined) return;
    if (this.#open && this.#open.key !== key) {
      if (!this.#open.isComplete()) {
        this.#deferred.push(event);
        return;
      }
      this.#close('completed');
      this.#addDeferred();
      this.add(event);
      return;
    }
    this.#open ??= new OpenPart(key);
    this.#open.add(event);
    this.#receiver.add(event);
  }

  /** Ends all parts. The last one has the status of the reply. */
  end(status: 'completed' | 'incomplete'): void {
    while (this.#open) {
      this.#close(this.#deferred.length === 0 ? status : 'completed');
      this.#addDeferred();
    }
  }

  #close(status: 'completed' | 'incomplete'): void {
    this.#open = undefined;
    this.#receiver.close(status);
  }

  /** Part by part: events of one part may have been interleaved with those of others. */
  #addDeferred(): void {
    const events = this.#deferred;
    this.#deferred = [];
    for (const ofPart of Map.groupBy(events, partKey).values()) ofPart.forEach((event) => this.add(event));
  }
}

/** The part that is being generated. */
class OpenPart {
  readonly key: string;
  #isFunction = false;
  #input = '';
  /** The first and the last character of the input, without whitespace. */
  #first = '';
  #last = '';

  constructor(key: string) {
    this.key = key;
  }

  add(event: ContentEvent): void {
    if (event.type === 'tool_call') this.#isFunction = event.kind === 'function';
    if (event.type !== 'tool_input') return;
    this.#input += event.text;
    const text = event.text.trim();
    if (text === '') return;
    this.#first ||= text.charAt(0);
    this.#last = text.charAt(text.length - 1);
  }

  /** Arguments of a function are complete as soon as they are JSON: engines may interleave the calls of one reply. */
  isComplete(): boolean {
    if (!this.#isFunction) return true;
    // Called for each event of another part, so long arguments are not parsed again each time.
    if (this.#first === '{' && this.#last !== '}') return false;
    return parseJson(this.#input) !== undefined;
  }
}
