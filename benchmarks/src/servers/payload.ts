import type { LoadedRequest } from '../load.ts';
import type { Address } from './host.ts';

/** The request and the reply of all servers: the same text in almost the same bytes. */

export const model = 'canned';
export const apiKey = 'sk-benchmark-key';

const words = ['time', 'year', 'work', 'life', 'hand', 'part', 'case', 'week', 'home', 'room'];

/** Number of chunks of a streamed reply, one word each. */
export const pieces: readonly string[] = Array.from({ length: 100 }, (_, i) => {
  const word = words[(i * 7) % words.length] ?? 'time';
  return i === 0 ? word : ` ${word}`;
});
export const reply = pieces.join('');

/** Equals the chunks of Modelwire without obfuscation. */
const heading = { id: `chatcmpl-${'a'.repeat(24)}`, created: 1_767_225_600, model, service_tier: 'default' };

/** The list of models of the raw server. */
export const models = JSON.stringify({
  object: 'list',
  data: [{ id: model, object: 'model', created: heading.created, owned_by: 'raw' }],
});

/** The whole reply of the raw server. */
export const wholeReply = JSON.stringify({
  ...heading,
  object: 'chat.completion',
  system_fingerprint: 'fp_0123456789',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: reply, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 100, total_tokens: 120 },
});

/** The reply of the raw server as events: role, one chunk per word, finish, `[DONE]`. */
export const streamedReply: readonly string[] = [
  chunk({ role: 'assistant', content: '', refusal: null }, null),
  ...pieces.map((content) => chunk({ content }, null)),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
];

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const body = { ...heading, object: 'chat.completion.chunk', system_fingerprint: 'fp_0123456789', choices };
  return `data: ${JSON.stringify(body)}\n\n`;
}

export type Mode = 'create' | 'stream';

/** The request of the load. `obfuscation: false` asks for streams without padding. */
export function requestTo({ base, headers }: Address, mode: Mode, { obfuscation = true } = {}): LoadedRequest {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: 'Say a hundred words about anything.' },
  ];
  const streaming = {
    stream: true,
    ...(!obfuscation && { stream_options: { include_obfuscation: false } }),
  };
  return {
    url: `${base}/chat/completions`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
    body: JSON.stringify({ model, messages, ...(mode === 'stream' && streaming) }),
  };
}
