import { createChat } from '@modelwire/chat';
import OpenAI from 'openai';

/** Reads a stream and returns its text. */
export type Reader = (fetch: () => Promise<Response>) => Promise<string>;

const asked = { model: 'simulator', messages: [{ role: 'user' as const, content: 'A long list, please.' }] };
const options = { apiKey: 'none', baseURL: 'http://localhost/v1' };

/** With a schema: parsing the whole text for each chunk would be quadratic. */
const ofJson = {
  response_format: {
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
  },
};

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null | undefined } }[];
}

async function textOf(chunks: AsyncIterable<Chunk>): Promise<string> {
  let text = '';
  for await (const { choices } of chunks) text += choices[0]?.delta.content ?? '';
  return text;
}

async function accumulatedByModelwire(fetch: () => Promise<Response>, params: object): Promise<string> {
  const { choices } = await createChat({ ...options, fetch })
    .completions.stream({ ...asked, ...params })
    .final();
  return choices[0]?.message.content ?? '';
}

async function accumulatedByOpenai(fetch: () => Promise<Response>, params: object): Promise<string> {
  const client = new OpenAI({ ...options, fetch });
  const { choices } = await client.chat.completions.stream({ ...asked, ...params }).finalChatCompletion();
  return choices[0]?.message.content ?? '';
}

export const readers = {
  ours: {
    title: '**Modelwire**, `for await`',
    read: async (fetch) =>
      textOf(await createChat({ ...options, fetch }).completions.create({ ...asked, stream: true })),
  },
  openai: {
    title: '`openai`, `for await`',
    read: async (fetch) =>
      textOf(await new OpenAI({ ...options, fetch }).chat.completions.create({ ...asked, stream: true })),
  },
  oursFinal: { title: '**Modelwire**, `.stream()`', read: (fetch) => accumulatedByModelwire(fetch, {}) },
  openaiFinal: { title: '`openai`, `.stream()`', read: (fetch) => accumulatedByOpenai(fetch, {}) },
  oursJson: { title: '**Modelwire**, `.stream()` of JSON', read: (fetch) => accumulatedByModelwire(fetch, ofJson) },
  openaiJson: { title: '`openai`, `.stream()` of JSON', read: (fetch) => accumulatedByOpenai(fetch, ofJson) },
} as const satisfies Record<string, { readonly title: string; readonly read: Reader }>;

export type ReaderName = keyof typeof readers;
