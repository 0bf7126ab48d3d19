import { createTokenMasker } from '@modelwire/grammar';
import type { State, TokenMasker } from '@modelwire/grammar';
import type { Allowance } from '../distribution.ts';
import { endOfText, textTokens } from '../tokenizer.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** What a grammar lets through of the vocabulary at the state it has come to. One object for a whole text: a step makes none. */
export interface Mask extends Allowance {
  state: State;
}

/** Makes masks. */
export type Masks = (state: State) => Mask;

/** The vocabulary is prepared when tokens first have to be counted or listed (about 0.5 s): few requests need that. */
export function masks(tokenizer: Tokenizer): Masks {
  let masker: TokenMasker | undefined;
  const prepared = (): TokenMasker =>
    (masker ??= createTokenMasker(Array.from({ length: textTokens }, (_, id) => tokenizer.bytes(id))));
  return (start) => {
    const mask: Mask = {
      state: start,
      has: (id) => (id === endOfText ? mask.state.canEnd() : after(mask.state, tokenizer.bytes(id)) !== undefined),
      count: () => prepared().allowed(mask.state).count + (mask.state.canEnd() ? 1 : 0),
      nth: (place) => prepared().allowed(mask.state).nth(place),
    };
    return mask;
  };
}

/** As `advance` has it, without what that does for texts: asked for each token that might be drawn. */
export function after(from: State, bytes: Uint8Array): State | undefined {
  let state: State | undefined = from;
  for (let i = 0; i < bytes.length && state !== undefined; i++) state = state.advanceByte(bytes[i] ?? 0);
  return state;
}
