import { createTokenMasker, prepareTokenMasker } from '@modelwire/grammar';
import type { State, TokenMasker } from '@modelwire/grammar';
import type { Allowance } from '../distribution.ts';
import type { Breathe } from '../prompt-tokens.ts';
import { endOfText, textTokens } from '../tokenizer.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** What a grammar lets through of the vocabulary at the state it has come to. One object for a whole text: a step makes none. */
export interface Mask extends Allowance {
  state: State;
}

/** Makes masks. */
export interface Masks {
  start(state: State): Mask;
  /**
   * Prepares the vocabulary (about 0.5 s, once) and yields to the event loop meanwhile. For requests that are going to count or
   * list tokens; few others need to, and then it is prepared at once.
   */
  prepare(breathe: Breathe): Promise<void>;
}

/** Tokens whose bytes are looked up between two turns of the event loop. */
const tokensPerTurn = 10_000;

export function masks(tokenizer: Tokenizer): Masks {
  let masker: TokenMasker | undefined;
  const prepared = (): TokenMasker =>
    (masker ??= createTokenMasker(Array.from({ length: textTokens }, (_, id) => tokenizer.bytes(id))));
  const start = (state: State): Mask => {
    const mask: Mask = {
      state,
      has: (id) => (id === endOfText ? mask.state.canEnd() : after(mask.state, tokenizer.bytes(id)) !== undefined),
      count: () => prepared().allowed(mask.state).count + (mask.state.canEnd() ? 1 : 0),
      nth: (place) => prepared().allowed(mask.state).nth(place),
    };
    return mask;
  };
  return {
    start,
    async prepare(breathe) {
      if (masker) return;
      const vocabulary: Uint8Array[] = [];
      for (let id = 0; id < textTokens; id++) {
        vocabulary.push(tokenizer.bytes(id));
        if (id % tokensPerTurn === 0) await breathe();
      }
      const made = await prepareTokenMasker(vocabulary, breathe);
      masker ??= made;
    },
  };
}

/** As `advance` has it, without what that does for texts: asked for each token that might be drawn. */
export function after(from: State, bytes: Uint8Array): State | undefined {
  let state: State | undefined = from;
  for (let i = 0; i < bytes.length && state !== undefined; i++) state = state.advanceByte(bytes[i] ?? 0);
  return state;
}
