import type { Token } from 'node-llama-cpp';
import type { Random } from '../random.ts';
import { draw } from './draw.ts';
import type { DrawOptions } from './draw.ts';
import { allowed } from './scores.ts';
import type { Scores } from './scores.ts';

/** What a constraint says of the next token. */
export interface TokenRule {
  allows(id: Token): boolean;
  /** Almost all tokens are allowed: log probabilities and `top_p` are not restricted to them. */
  readonly isFree: boolean;
}

export interface Choice {
  /** Undefined when none of the most likely tokens is allowed. */
  readonly token: Token | undefined;
  /** The scores that its log probability is reported from. */
  readonly scores: Scores;
}

/** Samples one of the most likely tokens. `reported`: log probabilities are shown. */
export function choose(
  scores: Scores,
  rule: TokenRule | undefined,
  temper: DrawOptions,
  random: Random,
  reported: boolean,
): Choice {
  if (rule === undefined) return { token: draw(scores, temper, random), scores };
  // Samples first and checks afterwards: the rest keeps the same proportions as if disallowed tokens had been removed before.
  if ((!reported || rule.isFree) && (temper.topP === 1 || temper.temperature === 0 || rule.isFree)) {
    const drawn = draw(scores, temper, random);
    if (drawn !== undefined && rule.allows(drawn)) return { token: drawn, scores };
  }
  const left = allowed(scores, (id) => rule.allows(id));
  return left ? { token: draw(left, temper, random), scores: left } : { token: undefined, scores };
}
