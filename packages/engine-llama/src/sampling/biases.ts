import { invalid } from '@modelwire/ports';
import type { ChatRequest } from '@modelwire/ports';
import type { Token, TokenBias } from 'node-llama-cpp';
import type { Vocabulary } from '../vocabulary.ts';

/** Values added to the scores: `logit_bias`, and the penalties of this reply. */
export interface Biases {
  /** Applied by llama.cpp. `changes` are added for one token of the reply; -Infinity excludes a token. */
  forTokens(changes?: ReadonlyMap<Token, number>): TokenBias | undefined;
  /** Neither a bias nor a penalty can apply to a token of this reply. */
  readonly areNone: boolean;
  /** For end tokens, which node-llama-cpp does not bias. */
  readonly forEnds: ReadonlyMap<Token, number>;
  said(id: Token): void;
  /** No bias. */
  create(): TokenBias;
}

type Penalties = Pick<ChatRequest, 'logit_bias' | 'frequency_penalty' | 'presence_penalty'>;

/** Throws a 400 that names `logit_bias` for an unknown token. */
export function biases(
  { logit_bias, frequency_penalty, presence_penalty }: Penalties,
  { holds, isEnd, size }: Vocabulary,
  create: () => TokenBias,
): Biases {
  const forEnds = new Map<Token, number>();
  const asked = new Map<Token, number>();
  for (const [key, amount] of Object.entries(logit_bias)) {
    const id = /^\d{1,7}$/.test(key) ? Number(key) : -1;
    if (!holds(id)) {
      throw invalid(
        'logit_bias',
        `logit_bias: '${key.slice(0, 40)}' is not a token of this model. Its tokens are 0 to ${size - 1}.`,
      );
    }
    (isEnd(id) ? forEnds : asked).set(id, amount);
  }
  const counts = new Map<Token, number>();
  const penalised = frequency_penalty !== 0 || presence_penalty !== 0;
  let made: TokenBias | undefined;
  const amountFor = (id: Token): number => {
    const count = counts.get(id) ?? 0;
    return (asked.get(id) ?? 0) - (count > 0 ? presence_penalty + count * frequency_penalty : 0);
  };
  const set = (id: Token): void => {
    made = (made ?? create()).set(id, { logit: amountFor(id) });
  };
  for (const id of asked.keys()) set(id);
  return {
    forTokens(changes) {
      if (changes === undefined) return made;
      const changed = create();
      for (const id of new Set([...asked.keys(), ...counts.keys(), ...changes.keys()])) {
        changed.set(id, { logit: amountFor(id) + (changes.get(id) ?? 0) });
      }
      return changed;
    },
    areNone: asked.size === 0 && !penalised,
    forEnds,
    said(id) {
      if (!penalised) return;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      set(id);
    },
    create,
  };
}
