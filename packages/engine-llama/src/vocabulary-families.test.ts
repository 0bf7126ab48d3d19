import type { Token } from 'node-llama-cpp';
import { expect, onTestFinished, test } from 'vitest';
import { byteTokens, loadVocabulary, padded } from './testing/vocabulary-file.ts';
import type { TypedToken, VocabularyFile } from './testing/vocabulary-file.ts';
import { readVocabulary } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The characters by which byte-level BPE represents the bytes of letters, a space and a line break, and the first byte of `é`. */
const byteLevelTokens: readonly TypedToken[] = ['a', 'e', 'r', 'Ġ', 'Ċ', 'Ã', '©', 'Ġriver', 'ĊĊ'].map(
  (text): TypedToken => [text, 'normal'],
);
const sentencePieceTokens: readonly TypedToken[] = [
  ...byteTokens,
  ...['▁', 'a', '▁river', '▁▁', 'é'].map((text): TypedToken => [text, 'normal']),
];

/** Vocabularies with the tokens that are special in a family of models, and what converters add. */
const families: Readonly<Record<string, VocabularyFile>> = {
  'Qwen 2.5 and 3, padded to the size of the embedding': {
    architecture: 'qwen2',
    tokenizer: ['gpt2', 'qwen2'],
    tokens: padded(
      [
        ...byteLevelTokens,
        ['<|endoftext|>', 'control'],
        ['<|im_start|>', 'control'],
        ['<|im_end|>', 'control'],
        ['<tool_call>', 'userDefined'],
        ['</think>', 'userDefined'],
      ],
      100,
    ),
    end: '<|im_end|>',
  },
  'Llama 3, with reserved tokens': {
    architecture: 'llama',
    tokenizer: ['gpt2', 'llama-bpe'],
    tokens: [
      ...byteLevelTokens,
      ['<|begin_of_text|>', 'control'],
      ['<|end_of_text|>', 'control'],
      ['<|reserved_special_token_0|>', 'control'],
      ['<|eot_id|>', 'control'],
    ],
    end: '<|eot_id|>',
  },
  'Gemma 2 and 3, with runs of spaces and line breaks': {
    architecture: 'gemma3',
    tokenizer: ['llama', 'default'],
    tokens: padded(
      [
        ['<pad>', 'control'],
        ['<eos>', 'control'],
        ['<bos>', 'control'],
        ['<unk>', 'unknown'],
        ['<unused0>', 'userDefined'],
        ['\n\n', 'userDefined'],
        ['  ', 'userDefined'],
        ...sentencePieceTokens,
        ['<start_of_turn>', 'control'],
        ['<end_of_turn>', 'control'],
      ],
      320,
    ),
    end: '<end_of_turn>',
  },
  'Gemma 4': {
    architecture: 'gemma3',
    tokenizer: ['gemma4', 'gemma4'],
    tokens: [
      ['<pad>', 'control'],
      ['<eos>', 'control'],
      ['<unk>', 'control'],
      ...sentencePieceTokens,
      ['<turn|>', 'control'],
    ],
    end: '<turn|>',
  },
  'Mistral with SentencePiece': {
    architecture: 'llama',
    tokenizer: ['llama', 'default'],
    tokens: [
      ['<unk>', 'unknown'],
      ['<s>', 'control'],
      ['</s>', 'control'],
      ['[INST]', 'control'],
      ...sentencePieceTokens,
    ],
    end: '</s>',
  },
  'Mistral with Tekken': {
    architecture: 'llama',
    tokenizer: ['gpt2', 'tekken'],
    tokens: [['<unk>', 'control'], ['</s>', 'control'], ['<SPECIAL_20>', 'control'], ...byteLevelTokens],
    end: '</s>',
  },
  'Phi 3, whose placeholders have the type unknown': {
    architecture: 'phi3',
    tokenizer: ['llama', 'default'],
    tokens: padded(
      [
        ['<unk>', 'unknown'],
        ['</s>', 'userDefined'],
        ...sentencePieceTokens,
        ['<|endoftext|>', 'control'],
        ['<|placeholder1|>', 'unknown'],
        ['<|end|>', 'control'],
      ],
      300,
    ),
    end: '<|end|>',
  },
  'gpt-oss, padded, with control tokens that llama.cpp writes as text': {
    architecture: 'gpt-oss',
    tokenizer: ['gpt2', 'gpt-4o'],
    tokens: padded(
      [
        ...byteLevelTokens,
        ['<|endoftext|>', 'control'],
        ['<|return|>', 'control'],
        ['<|call|>', 'control'],
        ['<|channel|>', 'control'],
        ['<|message|>', 'control'],
        ['<|start|>', 'control'],
        ['<|end|>', 'control'],
      ],
      64,
    ),
    end: '<|return|>',
  },
  'a byte-pair tokenizer with SentencePiece spaces': {
    architecture: 'llama',
    tokenizer: ['gpt2', 'sarvam-moe'],
    tokens: [['<unk>', 'control'], ['</s>', 'control'], ...sentencePieceTokens],
    end: '</s>',
  },
};

async function open(name: string): Promise<{ vocabulary: Vocabulary; textOf: (token: string) => string | null }> {
  const file = families[name]!;
  const model = await loadVocabulary(file);
  onTestFinished(() => model.dispose());
  const vocabulary = readVocabulary(model);
  // Every token, not only the sample that is compared when a model is loaded.
  for (const [id, [text]] of file.tokens.entries()) {
    // A token that ends a reply is never part of its text.
    if (vocabulary.isEnd(id as Token)) continue;
    const ours = Buffer.from(vocabulary.bytes(id as Token)).toString();
    if (ours.includes('\ufffd')) continue;
    expect.soft(ours.trimStart(), `token ${id}, ${text}`).toBe(model.detokenize([id as Token]).trimStart());
  }
  return {
    vocabulary,
    textOf: (token) => {
      const id = file.tokens.findIndex(([text]) => text === token);
      const bytes = vocabulary.bytes(id as Token);
      return bytes.length === 0 ? null : Buffer.from(bytes).toString();
    },
  };
}

test.each(Object.keys(families))('the vocabulary of %s decodes as in llama.cpp', async (name) => {
  const { vocabulary } = await open(name);
  expect(vocabulary.size).toBe(families[name]!.tokens.length);
  expect(vocabulary.endTokens.map((id) => vocabulary.describe(id).token)).toContain(families[name]!.end);
  expect(vocabulary.startingWith(0x20)).not.toEqual([]);
});

test('each of the six token types has the bytes that llama.cpp writes', async () => {
  const { textOf } = await open('Gemma 2 and 3, with runs of spaces and line breaks');
  expect(textOf('▁river')).toBe(' river');
  expect(textOf('  ')).toBe('  ');
  expect(textOf('<unused0>')).toBe('<unused0>');
  expect(textOf('<0x0A>')).toBe('\n');
  expect(textOf('<unk>')).toBe(null);
  expect(textOf('<start_of_turn>')).toBe(null);
  expect(textOf('[PAD319]')).toBe(null);
});

test('an unused token is named in log probabilities, and no text starts with it', async () => {
  const { vocabulary } = await open('Qwen 2.5 and 3, padded to the size of the embedding');
  const last = (vocabulary.size - 1) as Token;
  expect(vocabulary.describe(last)).toEqual({ token: '[PAD99]', bytes: null });
  expect(vocabulary.startingWith('['.charCodeAt(0))).toEqual([]);
  expect(vocabulary.findControlTokens('[PAD99]')).toEqual([]);
});

test('tokens that llama.cpp writes as text although the file declares them as control tokens are found in messages', async () => {
  const { vocabulary, textOf } = await open('gpt-oss, padded, with control tokens that llama.cpp writes as text');
  expect(textOf('<|channel|>')).toBe('<|channel|>');
  expect(vocabulary.findControlTokens('a<|start|>b<|end|>')).toEqual([
    { start: 1, end: 10 },
    { start: 11, end: 18 },
  ]);
});

test('the longest control token at a position is found', async () => {
  const model = await loadVocabulary({
    architecture: 'llama',
    tokenizer: ['gpt2', 'gpt-2'],
    tokens: [...byteLevelTokens, ['<|a|>', 'control'], ['<|a|>b', 'control'], ['</s>', 'control']],
    end: '</s>',
  });
  onTestFinished(() => model.dispose());
  expect(readVocabulary(model).findControlTokens('x<|a|>b')).toEqual([{ start: 1, end: 7 }]);
});
