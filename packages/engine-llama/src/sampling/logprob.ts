import type { TokenLogprob } from '@modelwire/schema/types';
import type { Token } from 'node-llama-cpp';
import type { Vocabulary } from '../vocabulary.ts';
import type { Scores } from './scores.ts';

/** The log probability of a sampled token that is not among the 20 most likely ones (API: Logprobs). */
export const logprobFloor = -9999;
const reportedRanks = 20;

export function reportLogprob(
  { ids, logprobs }: Scores,
  chosen: Token,
  count: number,
  { describe }: Vocabulary,
): TokenLogprob {
  const rank = ids.indexOf(chosen);
  return {
    ...describe(chosen),
    logprob: rank >= 0 && rank < reportedRanks ? (logprobs[rank] ?? logprobFloor) : logprobFloor,
    top_logprobs: ids
      .slice(0, count)
      .map((id, index) => ({ ...describe(id), logprob: logprobs[index] ?? logprobFloor })),
  };
}
