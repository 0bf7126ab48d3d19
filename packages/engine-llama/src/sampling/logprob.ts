import type { TokenLogprob } from '@modelwire/schema/types';
import type { Token } from 'node-llama-cpp';
import type { Vocabulary } from '../vocabulary.ts';
import type { Scores } from './scores.ts';

/** Marks a sampled token outside the 20 most likely (API: Logprobs). */
export const logprobFloor = -9999;
const ranks = 20;

export function reportLogprob(
  { ids, logprobs }: Scores,
  chosen: Token,
  count: number,
  { form }: Vocabulary,
): TokenLogprob {
  const place = ids.indexOf(chosen);
  return {
    ...form(chosen),
    logprob: place >= 0 && place < ranks ? (logprobs[place] ?? logprobFloor) : logprobFloor,
    top_logprobs: ids.slice(0, count).map((id, index) => ({ ...form(id), logprob: logprobs[index] ?? logprobFloor })),
  };
}
