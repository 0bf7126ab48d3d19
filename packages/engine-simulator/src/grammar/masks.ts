import { createTokenMasker } from '@modelwire/grammar';
import type { State, TokenMasker } from '@modelwire/grammar';
import type { Allowance } from '../distribution.ts';
import { endOfText, textTokens } from '../tokenizer.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** What states of grammars let through of the vocabulary. */
export type Masks = (state: State) => Allowance;

/** The vocabulary is prepared when tokens first have to be counted or listed (about 0.5 s): few requests need that. */
export function masks(tokenizer: Tokenizer): Masks & { prepare(): void } {
  let masker: TokenMasker | undefined;
  const prepared = (): TokenMasker =>
    (masker ??= createTokenMasker(Array.from({ length: textTokens }, (_, id) => tokenizer.bytes(id))));
  const allowance: Masks = (state) => ({
    has: (id) => (id === endOfText ? state.canEnd() : state.advance(tokenizer.bytes(id)) !== undefined),
    count: () => prepared().allowed(state).count + (state.canEnd() ? 1 : 0),
    ids: () => prepared().allowed(state).ids(),
  });
  return Object.assign(allowance, { prepare: () => void prepared() });
}
