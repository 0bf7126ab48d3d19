import { biasedTokens } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import type { Token, TokenBias } from 'node-llama-cpp';
import type { Vocabulary } from '../vocabulary.ts';

/** Values that are added to the scores: `logit_bias`, and the penalties of this reply. */
export interface Biases {
  /** The biases that llama.cpp applies. `changes` are added for the next token only; -Infinity excludes a token. */
  forTokens(changes?: ReadonlyMap<Token, number>): TokenBias | undefined;
  /** Whether no bias or penalty can apply to a token of this reply, except to end tokens. */
  readonly isEmpty: boolean;
  /** The biases of end tokens, which node-llama-cpp does not apply. */
  readonly forEndTokens: ReadonlyMap<Token, number>;
  /** Counts a token of the reply for the penalties. */
  countToken(id: Token): void;
  /** Creates an empty bias. */
  createBias(): TokenBias;
}

type Penalties = Pick<ChatRequest, 'logit_bias' | 'frequency_penalty' | 'presence_penalty'>;

/** @throws a 400 that names `logit_bias` for an unknown token. */
export function createBiases(
  { logit_bias, frequency_penalty, presence_penalty }: Penalties,
  { isToken, isEnd, size }: Vocabulary,
  createBias: () => TokenBias,
): Biases {
  const forEndTokens = new Map<Token, number>();
  const requested = new Map<Token, number>();
  for (const [id, amount] of biasedTokens(logit_bias, isToken, `0 to ${size - 1}`)) {
    (isEnd(id) ? forEndTokens : requested).set(id, amount);
  }
  const counts = new Map<Token, number>();
  const hasPenalties = frequency_penalty !== 0 || presence_penalty !== 0;
  let current: TokenBias | undefined;
  const amountFor = (id: Token): number => {
    const count = counts.get(id) ?? 0;
    return (requested.get(id) ?? 0) - (count > 0 ? presence_penalty + count * frequency_penalty : 0);
  };
  const set = (id: Token): void => {
    current = (current ?? createBias()).set(id, { logit: amountFor(id) });
  };
  for (const id of requested.keys()) set(id);
  return {
    forTokens(changes) {
      if (changes === undefined) return current;
      const changed = createBias();
      for (const id of new Set([...requested.keys(), ...counts.keys(), ...changes.keys()])) {
        changed.set(id, { logit: amountFor(id) + (changes.get(id) ?? 0) });
      }
      return changed;
    },
    isEmpty: requested.size === 0 && !hasPenalties,
    forEndTokens,
    countToken(id) {
      if (!hasPenalties) return;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      set(id);
    },
    createBias,
  };
}
