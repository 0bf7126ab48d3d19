import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ChatCompletionCreateParamsBase } from '@modelwire/chat';
import { chatParameters } from '@modelwire/ports';
import type OpenAI from 'openai';
import * as z from 'zod';
import type { Config } from '../config/schema.ts';

/** The accepted request; anything else gets a 400. */
const known = z.strictObject({
  model: z.literal('plain'),
  messages: z.array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.union([z.string(), z.array(z.strictObject({ type: z.literal('text'), text: z.string() }))]),
    }),
  ),
  temperature: z.number().optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
});

export type MinimalRequest = z.infer<typeof known>;

export interface MinimalUpstream {
  /** For `upstreams` of the configuration. */
  readonly config: NonNullable<Config['upstreams']>[number];
  readonly asked: MinimalRequest[];
  close(): void;
}

const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 };

/** Starts a model server that only accepts a model, messages and a temperature. */
export async function startMinimalUpstream(): Promise<MinimalUpstream> {
  const asked: MinimalRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'plain' }] }));
      const parsed = known.safeParse(await json(request));
      if (!parsed.success) {
        response.statusCode = 400;
        return response.end(JSON.stringify({ error: { message: `Unsupported: ${parsed.error.message}` } }));
      }
      asked.push(parsed.data);
      const content = replyTo(parsed.data);
      const head = { id: 'x', created: 1, model: 'plain' };
      if (parsed.data.stream !== true) {
        const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
        response.setHeader('content-type', 'application/json');
        return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
      }
      response.setHeader('content-type', 'text/event-stream');
      const say = (more: object): void =>
        void response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`);
      for (const word of content.split(/(?<= )/))
        say({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] });
      say({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
      say({ choices: [], usage });
      return response.end('data: [DONE]\n\n');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    config: {
      baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      capabilities: {
        parameters: plainParameters,
        roles: ['system', 'user', 'assistant'],
        inputs: ['text'],
        image_sources: ['data'],
        modalities: ['text'],
        response_formats: ['text'],
        tool_types: [],
        grammars: [],
        verbosities: ['medium'],
      },
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const around = 'emulated';
// prettier-ignore
const plainParameters = {
  ...Object.fromEntries(chatParameters.map((name) => [name, 'refused' as const])),
  temperature: 'native',
  n: around, stop: around, max_tokens: around, max_completion_tokens: around, response_format: around, audio: around,
  modalities: around, web_search_options: around, service_tier: around, user: around, safety_identifier: around,
} as const;

/** Four words, or a reply to the instructions in the system message. */
function replyTo({ messages }: MinimalRequest): string {
  const system = JSON.stringify(messages.filter(({ role }) => role === 'system'));
  if (system.includes('JSON Schema')) return '{"city":"Rome"}';
  if (system.includes('web search')) return 'It is long [1].';
  return 'One two three four.';
}

type Official = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** Additional fields of a request: those of the official SDK, and those that only Modelwire has. */
export type More = Partial<Official> & Omit<ChatCompletionCreateParamsBase, keyof Official>;
