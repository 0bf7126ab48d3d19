import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LlamaModel } from 'node-llama-cpp';
import { loadBinding, openLlama } from '../backend/binding.ts';
import { gguf } from '../tiny-model/gguf.ts';

/** Token types of GGUF (`tokenizer.ggml.token_type`). */
export const tokenTypes = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

export type TypedToken = readonly [text: string, type: keyof typeof tokenTypes];

export interface VocabularyFile {
  readonly architecture: string;
  /** `tokenizer.ggml.model` and `tokenizer.ggml.pre`. */
  readonly tokenizer: readonly [model: string, pre: string];
  readonly tokens: readonly TypedToken[];
  /** The text of the token that ends a reply. */
  readonly end: string;
}

/** The tokens of SentencePiece for single bytes. */
export const byteTokens: readonly TypedToken[] = Array.from({ length: 256 }, (_, byte) => [
  `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  'byte',
]);

/** Unused tokens up to a size of the vocabulary, as converters write them. */
export function padded(tokens: readonly TypedToken[], size: number): readonly TypedToken[] {
  return Array.from({ length: size }, (_, id) => tokens[id] ?? [`[PAD${id}]`, 'unused']);
}

/** Loads a model that has only a vocabulary. */
export async function loadVocabulary(file: VocabularyFile): Promise<LlamaModel> {
  const { architecture, tokenizer, tokens, end } = file;
  const texts = tokens.map(([text]) => text);
  const bytes = gguf(
    {
      'general.architecture': { type: 'string', value: architecture },
      'tokenizer.ggml.model': { type: 'string', value: tokenizer[0] },
      'tokenizer.ggml.pre': { type: 'string', value: tokenizer[1] },
      'tokenizer.ggml.tokens': { type: 'strings', value: texts },
      'tokenizer.ggml.token_type': { type: 'i32s', value: tokens.map(([, type]) => tokenTypes[type]) },
      'tokenizer.ggml.merges': { type: 'strings', value: [] },
      'tokenizer.ggml.eos_token_id': { type: 'u32', value: texts.indexOf(end) },
    },
    [],
  );
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-vocabulary-'));
  try {
    const modelPath = join(folder, 'vocabulary.gguf');
    await writeFile(modelPath, bytes);
    const llama = await openLlama(await loadBinding(), false);
    return await llama.loadModel({ modelPath, vocabOnly: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}
