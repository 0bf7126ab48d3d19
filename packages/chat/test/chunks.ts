import type { ChatCompletionChunk, ChatCompletionChunkChoice, ChatCompletionDelta } from '../src/index.ts';

export const head = { id: 'chatcmpl-1', created: 1_767_225_600, model: 'test-model', service_tier: 'default' } as const;

/** A chunk of the completion that all tests use. */
export function chunk(
  choices: readonly (Partial<ChatCompletionChunkChoice> & Record<string, unknown>)[],
  more: Partial<ChatCompletionChunk> & Record<string, unknown> = {},
): ChatCompletionChunk {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: choices.map((choice) => ({ index: 0, delta: {}, finish_reason: null, logprobs: null, ...choice })),
    usage: null,
    ...more,
  };
}

/** A chunk with one delta. */
export function delta(
  fields: ChatCompletionDelta & Record<string, unknown>,
  more: Partial<ChatCompletionChunkChoice> = {},
): ChatCompletionChunk {
  return chunk([{ delta: fields, ...more }]);
}

export function finish(finish_reason = 'stop', index = 0): ChatCompletionChunk {
  return chunk([{ index, finish_reason }]);
}

export const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

/** "Hello there", as the API streams it, with usage. */
export const hello: readonly ChatCompletionChunk[] = [
  delta({ role: 'assistant', content: '', refusal: null }),
  delta({ content: 'Hello' }),
  delta({ content: ' there' }),
  finish(),
  chunk([], { usage }),
];

/** The completion of {@link hello}. */
export const helloWhole = {
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello there', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
};
