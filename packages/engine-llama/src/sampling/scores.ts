import type { RankedTokens } from '@modelwire/adapter-kit';
import type { Token } from 'node-llama-cpp';

/** The most likely tokens at a position and their log probabilities, in descending order. */
export interface Scores extends RankedTokens<Token> {
  /** The probability of all other tokens together. */
  readonly rest: number;
}

/** The result of llama.cpp: the logits of the most likely tokens, and the sum of exp(logit - maximum) over the vocabulary. */
export interface RawScores {
  readonly logits: ReadonlyMap<Token, number>;
  readonly totalWeight: number;
}

/** Normalizes the scores. @param bias The biases of tokens to which llama.cpp does not apply them. */
export function scoresOf({ logits, totalWeight }: RawScores, bias: ReadonlyMap<Token, number>): Scores {
  const entries = [...logits];
  const largest = entries[0]?.[1] ?? 0;
  let total = totalWeight;
  let hasChanged = false;
  for (const entry of entries) {
    const addedBias = bias.get(entry[0]);
    if (addedBias === undefined) continue;
    total += Math.exp(entry[1] + addedBias - largest) - Math.exp(entry[1] - largest);
    entry[1] += addedBias;
    hasChanged = true;
  }
  if (hasChanged) entries.sort(([, a], [, b]) => b - a);
  const logNormalizer = largest + Math.log(Math.max(total, Number.MIN_VALUE));
  const logprobs = entries.map(([, logit]) => logit - logNormalizer);
  const found = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  return { ids: entries.map(([id]) => id), logprobs, rest: Math.max(0, 1 - found) };
}

/** The share of the remaining probability below which all further tokens are ignored. */
const negligible = 1e-5;

/** The normalized scores of the allowed tokens; undefined if none of the most likely tokens is allowed. */
export function allowed({ ids, logprobs, rest }: Scores, may: (id: Token) => boolean): Scores | undefined {
  let left = logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  let mass = 0;
  const kept: Token[] = [];
  const values: number[] = [];
  for (const [index, id] of ids.entries()) {
    const logprob = logprobs[index] ?? -Infinity;
    if (mass > 0 && left < mass * negligible) break;
    left -= Math.exp(logprob);
    if (!may(id)) continue;
    kept.push(id);
    values.push(logprob);
    mass += Math.exp(logprob);
  }
  const [best = 0] = values;
  if (kept.length === 0) return undefined;
  // Relative to the best score: if all allowed tokens are unlikely, the sum would underflow.
  const total = best + Math.log(values.reduce((sum, logprob) => sum + Math.exp(logprob - best), 0));
  // The others may all be allowed.
  const others = rest === 0 ? 0 : rest / Math.exp(total);
  return { ids: kept, logprobs: values.map((logprob) => logprob - total), rest: others };
}
