// A logits processor for transformers.js that restricts a model to text that matches a grammar:
//
//   const masker = createTokenMasker(bytesOf);
//   const processors = new LogitsProcessorList();
//   processors.push(constrainLogits({ grammar, masker, bytesOf, endToken: tokenizer.eos_token_id, promptLength }));
//   await model.generate({ ...inputs, max_new_tokens: 200, logits_processor: processors });
import type { Grammar, State, TokenMasker } from '../src/index.ts';

export interface ConstrainLogitsOptions {
  readonly grammar: Grammar;
  readonly masker: TokenMasker;
  /** The bytes of each token by its ID; empty for control tokens. */
  readonly bytesOf: readonly Uint8Array[];
  /** The ID of the end-of-text token. */
  readonly endToken: number;
  /** The number of tokens of the prompt, to which the grammar does not apply. */
  readonly promptLength: number;
}

/** The part of a transformers.js tensor that is used here: a row of logits. */
export interface LogitsRow {
  readonly data: Float32Array;
}

/** Sets the logits of all tokens that the grammar does not allow next to -Infinity. */
export function constrainLogits<Logits extends readonly LogitsRow[]>(
  options: ConstrainLogitsOptions,
): (inputIds: readonly (readonly bigint[])[], logits: Logits) => Logits {
  const { grammar, masker, bytesOf, endToken, promptLength } = options;
  /** The state of each sequence, and the number of its tokens that the state includes. */
  const followed: { state: State; count: number }[] = [];
  return (inputIds, logits) => {
    inputIds.forEach((ids, row) => {
      const one = (followed[row] ??= { state: grammar.start(), count: promptLength });
      for (const id of ids.slice(one.count).map(Number)) {
        one.count++;
        if (id === endToken) continue;
        const next = one.state.advance(bytesOf[id] ?? new Uint8Array());
        if (next === undefined) throw new Error(`the grammar does not allow the token ${id}`);
        one.state = next;
      }
      const mask = masker.allowed(one.state);
      const data = logits[row]?.data ?? new Float32Array();
      for (let id = 0; id < data.length; id++) {
        const isAllowed = id === endToken ? one.state.canEnd() : mask.has(id);
        if (!isAllowed) data[id] = -Infinity;
      }
    });
    return logits;
  };
}
