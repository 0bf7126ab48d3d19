import { isRecord } from '@modelwire/ports';
import { randomUUID } from 'node:crypto';
import type { FinishReason } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { readAnnotations, readLogprobs } from './chunk-fields.ts';
import { objectItems } from './json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads one choice of a streamed reply. */
export interface ChoiceReader {
  /** Adds the events of one item of a chunk's `choices`. */
  read(fields: Fields, events: ChatEvent[]): void;
  /** Adds the `finish` event that a server omitted. */
  end(events: ChatEvent[]): void;
}

interface ToolCallState {
  readonly index: number;
  readonly id: string;
  readonly kind: 'function' | 'custom';
  /** The index in the chunk; undefined if it has none. */
  readonly key: unknown;
}

/** Fields of a delta that have their own event, and `__proto__`. All others are `extra`. */
const handledFields: ReadonlySet<string> = new Set([
  '__proto__',
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'audio', 'annotations'],
]);

export function createChoiceReader(choice: number): ChoiceReader {
  const calls: ToolCallState[] = [];
  let hasFunctionCall = false;
  let isFinished = false;

  function read(fields: Fields, events: ChatEvent[]): void {
    if (isFinished) return;
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
    if (typeof fields['finish_reason'] === 'string') {
      isFinished = true;
      events.push({ type: 'finish', choice, reason: finishReason(fields['finish_reason']) });
    }
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
    const id = stringOrEmpty(fields['id']);
    let call = calls.findLast(({ key }) => fields['index'] === undefined || key === fields['index']);
    // Some servers send the same index, or none, for all calls of a reply: a new ID is a new call nevertheless.
    if (call === undefined || (id !== '' && id !== call.id)) {
      const kind = isRecord(fields['custom']) ? 'custom' : 'function';
      call = { index: calls.length, id: id === '' ? `call_${randomUUID()}` : id, kind, key: fields['index'] };
      calls.push(call);
      const name = stringOrEmpty(isRecord(fields[kind]) ? fields[kind]['name'] : undefined);
      events.push({ type: 'tool_call', choice, index: call.index, id: call.id, kind, name });
    }
    const { index, kind } = call;
    const inner = isRecord(fields[kind]) ? fields[kind] : {};
    const text = stringOrEmpty(kind === 'custom' ? inner['input'] : inner['arguments']);
    if (text !== '') events.push({ type: 'tool_input', choice, index, kind, text });
  }

  function readFunctionCall(fields: Fields, events: ChatEvent[]): void {
    hasFunctionCall = true;
    const name = stringOrEmpty(fields['name']);
    const text = stringOrEmpty(fields['arguments']);
    events.push({ type: 'function_call', choice, ...(name !== '' && { name }), ...(text !== '' && { text }) });
  }

  return {
    read,
    end(events) {
      if (isFinished) return;
      const reason = calls.length > 0 ? 'tool_calls' : hasFunctionCall ? 'function_call' : 'stop';
      events.push({ type: 'finish', choice, reason });
    },
  };
}

/** Own finish reasons of servers (`eos`, `abort`) become `stop`. */
function finishReason(reason: string): FinishReason {
  switch (reason) {
    case 'length':
    case 'content_filter':
    case 'tool_calls':
    case 'function_call':
      return reason;
    default:
      return 'stop';
  }
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
