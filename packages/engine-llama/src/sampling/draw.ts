import type { Token } from 'node-llama-cpp';
import type { Random } from '../random.ts';
import type { Scores } from './scores.ts';

export interface DrawOptions {
  /** 0 selects the most likely token. */
  readonly temperature: number;
  /** Samples from the most likely tokens whose probabilities, after temperature, sum up to this value; 1 for all tokens. */
  readonly topP: number;
}

/** Samples a token (API: `temperature`, `top_p`). */
export function draw({ ids, logprobs }: Scores, { temperature, topP }: DrawOptions, random: Random): Token | undefined {
  const [best = 0] = logprobs;
  if (temperature === 0 || ids.length <= 1) return ids[0];
  const weights = logprobs.map((logprob) => Math.exp((logprob - best) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let count = 0;
  let mass = 0;
  while (count < weights.length && (count === 0 || mass < topP * total)) mass += weights[count++] ?? 0;
  let remaining = random() * mass;
  for (let index = 0; index < count; index++) {
    remaining -= weights[index] ?? 0;
    if (remaining < 0) return ids[index];
  }
  return ids[count - 1];
}
