import { isRecord } from '@modelwire/adapter-kit';
import { createPartialJson } from '@modelwire/core/partial-json';
import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { invalidOutput } from './invalid-output.ts';
import { flat } from '../streaming/events.ts';

type CallEvent = Extract<ChatEvent, { readonly type: 'tool_call' }>;
type InputEvent = Extract<ChatEvent, { readonly type: 'tool_input' }>;

/**
 * Converts calls of the functions that emulate custom tools to calls of these tools: the string `input` of the arguments becomes the input, while
 * it is written. Arguments without such a string are the input themselves, because custom tools take any text. A reply that was cut (`length`,
 * `content_filter`) ends with the input so far.
 *
 * @param names Of the custom tools.
 * @throws RequestError 502, code `invalid_output`, for arguments that become invalid after the beginning of the input.
 */
export async function* asCustomCalls(events: ChatEvents, names: ReadonlySet<string>): AsyncGenerator<ChatEvent> {
  const calls: CustomCall[] = [];
  for await (const event of flat(events)) {
    if (event.type === 'tool_call' && event.kind === 'function' && names.has(event.name)) {
      const call = new CustomCall(event);
      calls.push(call);
      yield call.start;
    } else if (event.type === 'tool_input') {
      const call = calls.find(({ start }) => start.choice === event.choice && start.index === event.index);
      if (call) yield* call.read(event);
      else yield event;
    } else {
      if (event.type === 'finish') {
        const isCut = event.reason === 'length' || event.reason === 'content_filter';
        for (const call of calls) if (call.start.choice === event.choice) yield* call.end(isCut);
      }
      yield event;
    }
  }
}

class CustomCall {
  readonly start: CallEvent;
  readonly #arguments = createPartialJson();
  /** Whether the arguments are no object, as those of a function are; undefined before their first character that is no space. */
  #isText: boolean | undefined;
  /** The arguments as they were written, of text only the spaces before it. */
  #raw = '';
  #input = '';
  /** Of arguments that are not in an event yet. */
  #tokens = 0;

  constructor(call: CallEvent) {
    this.start = { ...call, kind: 'custom' };
  }

  *read({ text, tokens = 1 }: InputEvent): Generator<ChatEvent> {
    this.#tokens += tokens;
    const start = text.trimStart();
    if (start !== '') this.#isText ??= !start.startsWith('{');
    const more = this.#isText === true ? this.#readText(text) : this.#readArguments(text);
    if (more !== '') yield this.#event(more);
  }

  *end(isCut: boolean): Generator<ChatEvent> {
    const written = this.#written;
    const isComplete = this.#isText === true || (this.#arguments.state === 'done' && written === this.#input);
    if (isComplete || isCut) {
      if (this.#tokens > 0) yield this.#event('');
    } else if (written === undefined && this.#input === '') yield this.#event(this.#raw);
    else {
      const rejection = { reason: `its arguments are not JSON with one string 'input'`, position: this.#raw.length };
      throw invalidOutput({ place: { ...this.start, type: 'tool_input' } }, rejection, 1);
    }
  }

  #readText(text: string): string {
    const more = this.#raw + text;
    this.#raw = '';
    return more;
  }

  /** Returns what follows of the input. */
  #readArguments(text: string): string {
    this.#raw += text;
    this.#arguments.push(text);
    return this.#written?.slice(this.#input.length) ?? '';
  }

  get #written(): string | undefined {
    const { value } = this.#arguments;
    const input = isRecord(value) ? value['input'] : undefined;
    return typeof input === 'string' ? input : undefined;
  }

  #event(text: string): ChatEvent {
    const { choice, index, kind } = this.start;
    const tokens = this.#tokens;
    this.#input += text;
    this.#tokens = 0;
    return { type: 'tool_input', choice, index, kind, text, tokens };
  }
}
