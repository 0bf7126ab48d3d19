import type { Token } from 'node-llama-cpp';

/** The likeliest tokens at one place and their logarithms of probability, best first; all of a vocabulary that is not large. */
export interface Scores {
  readonly ids: readonly Token[];
  readonly logprobs: readonly number[];
}

/** llama.cpp's answer: raw numbers of the likeliest tokens, and the sum of exp(number - largest) over the whole vocabulary. */
export interface RawScores {
  readonly logits: ReadonlyMap<Token, number>;
  readonly totalWeight: number;
}

/** `bias` is for tokens that llama.cpp would not take a bias for. */
export function scoresOf({ logits, totalWeight }: RawScores, bias: ReadonlyMap<Token, number>): Scores {
  const entries = [...logits];
  const largest = entries[0]?.[1] ?? 0;
  let total = totalWeight;
  let moved = false;
  for (const entry of entries) {
    const more = bias.get(entry[0]);
    if (more === undefined) continue;
    total += Math.exp(entry[1] + more - largest) - Math.exp(entry[1] - largest);
    entry[1] += more;
    moved = true;
  }
  if (moved) entries.sort(([, a], [, b]) => b - a);
  const normaliser = largest + Math.log(Math.max(total, Number.MIN_VALUE));
  return { ids: entries.map(([id]) => id), logprobs: entries.map(([, logit]) => logit - normaliser) };
}

/** How little of the probability is left when further tokens are not looked at any more. */
const negligible = 1e-5;

/** Only what may be said, scaled to a sum of 1. Undefined when none of the likeliest may. */
export function allowed({ ids, logprobs }: Scores, may: (id: Token) => boolean): Scores | undefined {
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
  // Against the best: where all that may be said is unlikely, the sum itself would be nothing.
  const total = best + Math.log(values.reduce((sum, logprob) => sum + Math.exp(logprob - best), 0));
  return { ids: kept, logprobs: values.map((logprob) => logprob - total) };
}
