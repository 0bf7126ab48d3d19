import { isRecord } from '@modelwire/adapter-kit';
import type { FinishReason } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { readAnnotations, readLogprobs } from './chunk-fields.ts';
import { objectItems } from '../requests/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Converts one choice of a stream, whose chunks are normalized, to events. */
export interface ChoiceReader {
  /** Adds the events of one item of a chunk's `choices`. */
  read(fields: Fields, events: ChatEvent[]): void;
}

/** Fields of a delta that have their own event, and `__proto__`. All others are `extra`. */
const handledFields: ReadonlySet<string> = new Set([
  '__proto__',
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'audio', 'annotations'],
]);

const finishReasons: readonly FinishReason[] = ['stop', 'length', 'content_filter', 'tool_calls', 'function_call'];

export function createChoiceReader(choice: number): ChoiceReader {
  const kinds = new Map<number, 'function' | 'custom'>();

  function read(fields: Fields, events: ChatEvent[]): void {
    const delta = isRecord(fields['delta']) ? fields['delta'] : {};
    const extra = Object.entries(delta).filter(([name, value]) => !handledFields.has(name) && value !== null);
    if (extra.length > 0) events.push({ type: 'extra', choice, delta: Object.fromEntries(extra) });
    const logprobs = isRecord(fields['logprobs']) ? fields['logprobs'] : {};
    readText('text', delta['content'], logprobs['content'], events);
    readText('refusal', delta['refusal'], logprobs['refusal'], events);
    if (isRecord(delta['audio'])) readAudio(delta['audio'], events);
    const annotations = readAnnotations(delta['annotations']);
    if (annotations.length > 0) events.push({ type: 'annotations', choice, annotations });
    for (const call of objectItems(delta['tool_calls'])) readToolCall(call, events);
    if (isRecord(delta['function_call'])) readFunctionCall(delta['function_call'], events);
    const reason = finishReasons.find((one) => one === fields['finish_reason']);
    if (reason !== undefined) events.push({ type: 'finish', choice, reason });
  }

  function readText(type: 'text' | 'refusal', value: unknown, list: unknown, events: ChatEvent[]): void {
    const text = typeof value === 'string' ? value : '';
    const logprobs = readLogprobs(list);
    if (logprobs.length > 0) events.push({ type, choice, text, tokens: logprobs.length, logprobs });
    else if (text !== '') events.push({ type, choice, text });
  }

  function readAudio({ id, expires_at, data, transcript }: Fields, events: ChatEvent[]): void {
    events.push({
      ...{ type: 'audio', choice },
      ...(typeof id === 'string' && { id }),
      ...(Number.isSafeInteger(expires_at) && { expires_at: Number(expires_at) }),
      ...(typeof data === 'string' && { data: Buffer.from(data, 'base64') }),
      ...(typeof transcript === 'string' && { transcript }),
    });
  }

  function readToolCall(fields: Fields, events: ChatEvent[]): void {
    const index = Number(fields['index']);
    let kind = kinds.get(index);
    const isStart = kind === undefined;
    kind ??= isRecord(fields['custom']) ? 'custom' : 'function';
    kinds.set(index, kind);
    const call = fields[kind];
    const inner = isRecord(call) ? call : {};
    if (isStart) {
      const [id, name] = [stringOrEmpty(fields['id']), stringOrEmpty(inner['name'])];
      events.push({ type: 'tool_call', choice, index, id, kind, name });
    }
    const text = stringOrEmpty(kind === 'custom' ? inner['input'] : inner['arguments']);
    if (text !== '') events.push({ type: 'tool_input', choice, index, kind, text });
  }

  function readFunctionCall(fields: Fields, events: ChatEvent[]): void {
    const name = stringOrEmpty(fields['name']);
    const text = stringOrEmpty(fields['arguments']);
    events.push({ type: 'function_call', choice, ...(name !== '' && { name }), ...(text !== '' && { text }) });
  }

  return { read };
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
