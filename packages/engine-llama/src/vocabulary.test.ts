import type { LlamaModel, Token } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { readVocabulary } from './vocabulary.ts';

const tokens = ['<unk>', '<s>', '</s>', '<0x0A>', '▁', '{"', 'name', 'a'];
const token_type = [2, 3, 3, 6, 1, 1, 1, 1];
const texts = tokens.map((token) => token.replace('<0x0A>', '\n').replace('▁', ' '));

/** Adds a space to the start of a text, as SentencePiece does; node-llama-cpp removes it unless the text starts with a line break. */
function tokenize(text: string): readonly number[] {
  const found: number[] = text.startsWith('\n') ? [tokens.indexOf('▁')] : [];
  for (let at = 0; at < text.length; at += texts[found.at(-1)!]!.length) {
    found.push(texts.findIndex((one) => text.startsWith(one, at)));
  }
  return found;
}

test('a text that starts with a line break has the tokens of the text', () => {
  const model: unknown = {
    fileInfo: { metadata: { tokenizer: { ggml: { model: 'llama', tokens, token_type } } } },
    isEogToken: (id: Token) => id === 2,
    getTokenAttributes: (id: Token) => ({
      control: id === 1 || id === 2,
      unknown: id === 0,
      byte: id === 3,
      normal: id > 3,
    }),
    tokenize,
    detokenize: (ids: readonly Token[]) => ids.map((id) => texts[id]).join(''),
  };
  const { encode, bytes } = readVocabulary(model as LlamaModel);
  const encoded = (text: string): string[] =>
    encode(new TextEncoder().encode(text)).map((id) => new TextDecoder().decode(bytes(id)));
  expect(encoded('\n{"name')).toEqual(['\n', '{"', 'name']);
  expect(encoded('{"name')).toEqual(['{"', 'name']);
});
