import type { CompletionRecord } from '@modelwire/ports';

export const models: readonly string[] = ['small', 'medium', 'large', 'coder', 'thinker'];

/** Fifty topics: of 1,000 completions each fills a page of 20. */
export const topics: readonly string[] = Array.from({ length: 50 }, (_, i) => `topic-${i}`);

const answer = 'A sentence of some length that stands for what a model has said. '.repeat(4).trim();

export function idOf(index: number): string {
  // As long as the IDs of the server, in random order.
  return `chatcmpl-${((index * 2_654_435_761) % 2 ** 32).toString(36).padStart(8, '0')}${String(index).padStart(16, '0')}`;
}

/** The completion with this number: 0.6 kB, with a metadata pair that all have, one of 50 topics, and a unique one. */
export function recordOf(index: number): CompletionRecord {
  const id = idOf(index);
  return {
    completion: {
      id,
      object: 'chat.completion',
      created: 1_700_000_000 + Math.floor(index / 10),
      // In blocks, so that each model has all topics.
      model: models[Math.floor(index / topics.length) % models.length] ?? '',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: answer, refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80 },
      request_id: `req_${id}`,
      metadata: { app: 'bench', topic: topics[index % topics.length] ?? '', ticket: `ticket-${index}` },
    },
    messages: [{ id: `${id}-0`, role: 'user', content: 'Say a sentence of some length, four times.' }],
  };
}
