import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../random.ts';
import { gguf } from './gguf.ts';
import type { GgufTensor } from './gguf.ts';

/** The text from which bigram weights are computed. */
const trainingText = `The river runs to the sea. The sea is wide and the river is long. A boat goes down the river in the rain.
The rain falls on the hills, and the hills send it to the river. In the morning the boat is at the sea.
{"name": "river", "city": "Lyon", "count": 3, "wide": true} {"answer": "the sea", "items": ["rain", "boat"]} `;

const merges = 'Ġ t,h e,Ġt he,i n,r i,e r,ri v,riv er,Ġ river,Ġ s,e a,Ġs ea,Ġ a,n d,Ġa nd,o a,Ġ b,Ġb oa,Ġboa t'.split(
  ',',
);
const controls = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
/** User-defined tokens like those of Qwen models, which have text. */
const userDefinedTokens = ['<tool_call>', '</tool_call>'];

const template = `{%- if tools %}{{- '<|im_start|>system\\n# Tools\\n' }}{%- for tool in tools %}{{- tool | tojson }}{{- '\\n' }}{%- endfor %}{{- 'Write <tool_call>\\n{"name": <name>, "arguments": <arguments>}\\n</tool_call><|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content }}{%- for call in message.tool_calls or [] %}{{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}{%- endfor %}{{- '<|im_start|>assistant\\n' }}`;

export interface TinyModelOptions {
  /** The chat template of the file; null for a file without one. */
  readonly chatTemplate?: string | null;
  /** The number of unused tokens at the end, with which converters fill a vocabulary up to the size of the embedding. Default 0. */
  readonly padding?: number;
  /** The context that the model claims to be trained with, in tokens. Default 2048. */
  readonly contextLength?: number;
}

/** The tokens of the tiny model, by ID. */
export const tinyTokens: readonly string[] = [
  ...byteLetters(),
  ...merges.map((pair) => pair.replace(' ', '')),
  ...controls,
  ...userDefinedTokens,
];

/**
 * Writes a model of 3 MB for tests: one layer of small random weights and a table of token bigrams, so that its output resembles words and
 * depends on the context. The file is always the same. It runs all code paths of a real model; its replies are meaningless.
 */
export async function writeTinyModel(path: string, options: TinyModelOptions = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-tiny-'));
  try {
    const file = join(folder, 'tiny.gguf');
    await writeFile(file, tinyModel(options));
    await rename(file, path).catch(() => writeFile(path, tinyModel(options)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tinyModel({ chatTemplate = template, padding = 0, contextLength = 2048 }: TinyModelOptions): Uint8Array {
  const tokens = [...tinyTokens, ...Array.from({ length: padding }, (_, at) => `[PAD${tinyTokens.length + at}]`)];
  const vocabulary = tokens.length;
  // One dimension per token, so that the embedding identifies the last token, and the output layer is the table of bigrams.
  const width = Math.ceil(vocabulary / 8) * 8;
  const [heads, keyHeads, feedForward] = [4, 1, 64];
  const headWidth = width / heads;
  const random = seededRandom(7);
  const noise = (name: string, shape: readonly [number, number], scale: number): GgufTensor => ({
    name,
    shape,
    data: Float32Array.from({ length: shape[0] * shape[1] }, () => (random() - 0.5) * scale),
  });
  const ones = (name: string): GgufTensor => ({ name, shape: [width], data: new Float32Array(width).fill(1) });
  const embedding = new Float32Array(width * vocabulary);
  for (let id = 0; id < vocabulary; id++) embedding[id * width + id] = 1;
  const tensors: GgufTensor[] = [
    { name: 'token_embd.weight', shape: [width, vocabulary], data: embedding },
    ones('blk.0.attn_norm.weight'),
    noise('blk.0.attn_q.weight', [width, width], 0.5),
    noise('blk.0.attn_k.weight', [width, headWidth * keyHeads], 0.5),
    noise('blk.0.attn_v.weight', [width, headWidth * keyHeads], 0.1),
    noise('blk.0.attn_output.weight', [width, width], 0.1),
    ones('blk.0.ffn_norm.weight'),
    noise('blk.0.ffn_gate.weight', [width, feedForward], 0.1),
    noise('blk.0.ffn_up.weight', [width, feedForward], 0.1),
    noise('blk.0.ffn_down.weight', [feedForward, width], 0.1),
    ones('output_norm.weight'),
    { name: 'output.weight', shape: [width, vocabulary], data: bigramWeights(width, vocabulary) },
  ];
  const idOf = (token: string): number => tinyTokens.indexOf(token);
  return gguf(
    {
      'general.architecture': { type: 'string', value: 'llama' },
      'general.name': { type: 'string', value: 'tiny' },
      'llama.context_length': { type: 'u32', value: contextLength },
      'llama.embedding_length': { type: 'u32', value: width },
      'llama.block_count': { type: 'u32', value: 1 },
      'llama.feed_forward_length': { type: 'u32', value: feedForward },
      'llama.attention.head_count': { type: 'u32', value: heads },
      'llama.attention.head_count_kv': { type: 'u32', value: keyHeads },
      'llama.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-5 },
      'llama.rope.dimension_count': { type: 'u32', value: headWidth },
      'llama.vocab_size': { type: 'u32', value: vocabulary },
      'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
      'tokenizer.ggml.pre': { type: 'string', value: 'gpt-2' },
      'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
      'tokenizer.ggml.token_type': { type: 'i32s', value: tokens.map(typeOf) },
      'tokenizer.ggml.merges': { type: 'strings', value: merges },
      'tokenizer.ggml.bos_token_id': { type: 'u32', value: idOf('<|endoftext|>') },
      'tokenizer.ggml.eos_token_id': { type: 'u32', value: idOf('<|im_end|>') },
      'tokenizer.ggml.add_bos_token': { type: 'bool', value: 0 },
      ...(chatTemplate !== null && { 'tokenizer.chat_template': { type: 'string', value: chatTemplate } as const }),
    },
    tensors,
  );
}

/** The type of a token in the file. */
function typeOf(token: string): number {
  if (controls.includes(token)) return 3;
  if (userDefinedTokens.includes(token)) return 4;
  return token.startsWith('[PAD') ? 5 : 1;
}

/** The weights of the transitions between tokens, with a row for each possible successor. */
function bigramWeights(width: number, vocabulary: number): Float32Array {
  const ids = tokenize(trainingText);
  const counts = new Float32Array(width * vocabulary);
  for (const [at, id] of ids.entries()) {
    const next = ids[at + 1];
    if (next !== undefined) counts[next * width + id] = (counts[next * width + id] ?? 0) + 1;
  }
  // The output of the norm is about the square root of the width.
  const scale = 1.4 / Math.sqrt(width);
  const weights = counts.map((count) => (count === 0 ? -6 * scale : Math.log(1 + 4 * count) * scale));
  const endOfTurn = tinyTokens.indexOf('<|im_end|>');
  const fullStop = tinyTokens.indexOf('.');
  weights[endOfTurn * width + fullStop] = 2 * scale;
  // The first letter of a reply follows the line break at the end of the prompt.
  weights[tinyTokens.indexOf('T') * width + tinyTokens.indexOf('Ċ')] = 3 * scale;
  return weights;
}

/** Tokenizes greedily by the longest tokens instead of by the order of merges, which is sufficient for the weights. */
function tokenize(text: string): number[] {
  const letters = Array.from(Buffer.from(text), (byte) => byteLetters()[byte] ?? '').join('');
  const ids: number[] = [];
  for (let at = 0; at < letters.length;) {
    let length = 6;
    while (length > 1 && !tinyTokens.includes(letters.slice(at, at + length))) length--;
    ids.push(tinyTokens.indexOf(letters.slice(at, at + length)));
    at += length;
  }
  return ids;
}

/** The printable character by which byte-level BPE represents each byte. */
function byteLetters(): readonly string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const visible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCodePoint(visible ? byte : next++);
  });
}
