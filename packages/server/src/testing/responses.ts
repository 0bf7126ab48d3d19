import type { ChatEvent } from '@modelwire/ports';
import { responseStreamEventSchema } from '@modelwire/schema/testing';
import type { ErrorBody, ResponseStreamEvent } from '@modelwire/schema/types';
import { expect } from 'vitest';
import { key } from './listen.ts';

/** POST /v1/responses with the key of the tests. */
export function postResponse(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The events of a streamed response, each checked by the schema. The stream must end with `[DONE]`. */
export async function eventsOf(response: Response): Promise<ResponseStreamEvent[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const frames = (await response.text()).split('\n\n').filter(Boolean);
  expect(frames.at(-1)).toBe('data: [DONE]');
  return frames.slice(0, -1).map((frame) => {
    const [name = '', data = ''] = frame.split('\n');
    const event: unknown = JSON.parse(data.slice('data: '.length));
    const parsed = responseStreamEventSchema.parse(event);
    expect(name).toBe(`event: ${parsed.type}`);
    return event as ResponseStreamEvent;
  });
}

/** Status and error of a refusal. */
export async function refusalOf(response: Response): Promise<ErrorBody['error'] & { readonly status: number }> {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, ...error };
}

export const text = (words: string): ChatEvent => ({ type: 'text', choice: 0, text: words });

export const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' = 'stop'): ChatEvent => ({
  type: 'finish',
  choice: 0,
  reason,
});

type Kind = 'function' | 'custom';

export const toolCall = (index: number, name: string, kind: Kind = 'function', id = `call_${index}`): ChatEvent => ({
  type: 'tool_call',
  choice: 0,
  index,
  id,
  kind,
  name,
});

export const toolInput = (index: number, words: string, kind: Kind = 'function'): ChatEvent => ({
  type: 'tool_input',
  choice: 0,
  index,
  kind,
  text: words,
});

/** The capabilities of an engine with tools of both kinds. */
export const withTools = {
  can: {
    parameters: { tools: 'native' },
    tool_types: ['function', 'custom'],
    roles: ['system', 'user', 'assistant', 'tool'],
    grammars: ['regex', 'lark'],
  },
} as const;
