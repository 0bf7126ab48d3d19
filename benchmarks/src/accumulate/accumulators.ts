import { createChat } from '@modelwire/chat';
import OpenAI from 'openai';

/** Streams a reply and returns the accumulated text. */
export type Accumulator = (body: () => ReadableStream<Uint8Array>) => Promise<string>;

const asked = { model: 'simulator', messages: [{ role: 'user' as const, content: 'A long list, please.' }] };

/** With a schema: parsing the whole text for each chunk would be quadratic. */
const format = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'list',
    strict: true,
    schema: {
      type: 'object',
      properties: { words: { type: 'array', items: { type: 'string' } } },
      required: ['words'],
      additionalProperties: false,
    },
  },
};

function answering(body: () => ReadableStream<Uint8Array>): typeof fetch {
  return () => Promise.resolve(new Response(body(), { headers: { 'content-type': 'text/event-stream' } }));
}

async function ours(body: () => ReadableStream<Uint8Array>, params: object): Promise<string> {
  const chat = createChat({ apiKey: 'none', baseURL: 'http://localhost/v1', fetch: answering(body) });
  const { choices } = await chat.completions.stream({ ...asked, ...params }).final();
  return choices[0]?.message.content ?? '';
}

async function theirs(body: () => ReadableStream<Uint8Array>, params: object): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost/v1', fetch: answering(body) });
  const { choices } = await client.chat.completions.stream({ ...asked, ...params }).finalChatCompletion();
  return choices[0]?.message.content ?? '';
}

export const accumulators = {
  ours: { title: '**Modelwire**, `.stream()`', text: (body) => ours(body, {}) },
  oursJson: { title: '**Modelwire**, `.stream()` of JSON', text: (body) => ours(body, { response_format: format }) },
  openai: { title: '`openai`, `.stream()`', text: (body) => theirs(body, {}) },
  openaiJson: { title: '`openai`, `.stream()` of JSON', text: (body) => theirs(body, { response_format: format }) },
} satisfies Record<string, { readonly title: string; readonly text: Accumulator }>;

export type AccumulatorName = keyof typeof accumulators;

export function isAccumulatorName(name: string): name is AccumulatorName {
  return Object.hasOwn(accumulators, name);
}
