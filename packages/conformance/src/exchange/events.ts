import type { CompleteResponse } from './response.ts';
import { parseJson } from './parse-json.ts';

/** A server-sent event as received. */
export interface StreamEvent {
  readonly data: string;
  /** The value of its `event` field. */
  readonly name: string | undefined;
  /** Names of its fields other than `data`. */
  readonly otherFields: readonly string[];
  /** Bytes of its lines. */
  readonly byteLength: number;
  /** Undefined if the data is not JSON. */
  readonly json: unknown;
}

export interface EventStream {
  readonly response: CompleteResponse;
  readonly events: readonly StreamEvent[];
  /** The events without `[DONE]`. */
  readonly chunks: readonly StreamEvent[];
  /** The text after the last blank line. */
  readonly trailing: string;
}

export const DONE = '[DONE]';

/** Splits a complete stream into events, strictly by lines; comments are ignored. */
export function parseEvents(response: CompleteResponse): EventStream {
  const blocks = response.text.split(/\r\n\r\n|\n\n|\r\r/);
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block) => parseEvent(block) ?? []);
  return { response, events, chunks: events.filter(({ data }) => data !== DONE), trailing: rest };
}

function parseEvent(block: string): StreamEvent | undefined {
  const lines = block.split(/\r\n|\n|\r/).filter((line) => line !== '' && !line.startsWith(':'));
  if (lines.length === 0) return undefined;
  const fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return colon === -1 ? { name: line, value: '' } : { name: line.slice(0, colon), value: line.slice(colon + 1) };
  });
  const data = fields
    .filter(({ name }) => name === 'data')
    .map(({ value }) => value.replace(/^ /, ''))
    .join('\n');
  const others = fields.map(({ name }) => name).filter((name) => name !== 'data');
  const name = fields.find((field) => field.name === 'event')?.value.replace(/^ /, '');
  return {
    data,
    name,
    otherFields: others,
    byteLength: new TextEncoder().encode(lines.join('\n')).length,
    json: parseJson(data),
  };
}
