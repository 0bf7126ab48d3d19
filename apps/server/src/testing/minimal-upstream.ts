import type { ChatCompletionCreateParamsBase } from '@modelwire/chat';
import { chatParameters } from '@modelwire/ports/internal';
import type OpenAI from 'openai';
import * as z from 'zod';
import type { Config } from '../config/schema.ts';
import { startStrictUpstream, streamChunks } from './strict-upstream.ts';

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
  const { baseURL, asked, close } = await startStrictUpstream({
    model: 'plain',
    schema: known,
    reply(response, request) {
      const content = replyTo(request);
      if (request.stream === true) {
        const words = content.split(/(?<= )/).map((word) => ({ delta: { content: word }, finish_reason: null }));
        const choices = [...words, { delta: {}, finish_reason: 'stop' }];
        const chunks = choices.map((choice) => ({ choices: [{ index: 0, ...choice }] }));
        streamChunks(response, 'plain', [...chunks, { choices: [], usage }]);
        return;
      }
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'x', created: 1, model: 'plain', object: 'chat.completion', choices, usage }));
    },
  });
  return {
    asked,
    close,
    config: {
      baseURL,
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
  };
}

const around = 'emulated';

const plainParameters = {
  ...Object.fromEntries(chatParameters.map((name) => [name, 'refused' as const])),
  temperature: 'native',
  n: around,
  stop: around,
  max_tokens: around,
  max_completion_tokens: around,
  response_format: 'native',
  audio: around,
  modalities: around,
  web_search_options: around,
  service_tier: around,
  user: around,
  safety_identifier: around,
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
