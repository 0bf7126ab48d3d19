import { drawToken } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import type { Token } from 'node-llama-cpp';
import type { Random } from '../random.ts';
import { allowed } from './scores.ts';
import type { Scores } from './scores.ts';

/** Determines which tokens a constraint allows next. */
export interface TokenFilter {
  allows(id: Token): boolean;
  /** Whether almost all tokens are allowed, so that log probabilities and `top_p` are not restricted to them. */
  readonly isUnrestricted: boolean;
}

type DrawOptions = Pick<ChatRequest, 'temperature' | 'top_p'> &
  Partial<Pick<ChatRequest, 'min_p' | 'top_k' | 'typical_p'>>;

/** Whether sampling leaves out unlikely tokens: then disallowed tokens must be removed before. */
export function truncates({ temperature, top_p, min_p = 0, top_k = 0, typical_p = 1 }: DrawOptions): boolean {
  return temperature !== 0 && (top_p < 1 || min_p > 0 || top_k > 0 || typical_p < 1);
}

/**
 * The tokens that `top_p` leaves; undefined if they are not all among the scores.
 * @param others The least and the most that the other tokens can have of the probability. Which tokens are left must not depend on it.
 */
export function nucleus(
  { ids, logprobs }: Scores,
  top_p: number,
  others: readonly [number, number],
): Scores | undefined {
  const found = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  let mass = 0;
  const end = logprobs.findIndex((logprob) => {
    mass += Math.exp(logprob);
    return mass >= top_p * (found + others[0]);
  });
  if (end < 0 || mass < top_p * (found + others[1])) return undefined;
  return { ids: ids.slice(0, end + 1), logprobs: logprobs.slice(0, end + 1), rest: 0 };
}

export interface Choice {
  /** Undefined if none of the most likely tokens is allowed. */
  readonly token: Token | undefined;
  /** The scores from which its log probability is reported. */
  readonly scores: Scores;
}

/** Samples one of the most likely tokens. @param reported Whether log probabilities are reported. */
export function choose(
  scores: Scores,
  filter: TokenFilter | undefined,
  options: DrawOptions,
  random: Random,
  reported: boolean,
): Choice {
  if (filter === undefined) return { token: draw(scores, options, random), scores };
  // Samples before checking: rejection does not change the proportions of the allowed tokens.
  if ((!reported || filter.isUnrestricted) && (!truncates(options) || filter.isUnrestricted)) {
    const drawn = draw(scores, options, random);
    if (drawn !== undefined && filter.allows(drawn)) return { token: drawn, scores };
  }
  const left = allowed(scores, (id) => filter.allows(id));
  return left ? { token: draw(left, options, random), scores: left } : { token: undefined, scores };
}

function draw({ ids, logprobs }: Scores, options: DrawOptions, random: Random): Token | undefined {
  return ids[drawToken(logprobs, options, random)];
}
