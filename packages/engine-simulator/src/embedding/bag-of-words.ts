import { hash } from 'node:crypto';
import type { Pause } from '@modelwire/adapter-kit';
import type { EmbeddingInput } from '@modelwire/ports';

/** A Chinese character, or a run of letters and digits. */
const words = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/**
 * A hashed bag of words of length 1: each word adds or subtracts 1 at eight positions that its hash chooses. Texts with the same words
 * get the same vector, texts that share words get similar ones. The order and the meaning of the words have no effect.
 */
export async function bagOfWords(input: EmbeddingInput, size: number, pause: Pause): Promise<Float32Array> {
  const sums = new Float64Array(size);
  let count = 0;
  for (const word of wordsOf(input)) {
    addWord(sums, word);
    const wait = ++count % 100 === 0 ? pause() : undefined;
    if (wait) await wait;
  }
  // A text of punctuation is one word.
  if (count === 0) addWord(sums, String(input));
  // All words may cancel each other out in a short vector.
  if (sums.every((sum) => sum === 0)) sums[0] = 1;
  const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
  return Float32Array.from(sums, (sum) => sum / length);
}

function* wordsOf(input: EmbeddingInput): Generator<string> {
  if (typeof input !== 'string') for (const token of input) yield `token ${token}`;
  else for (const [word] of input.matchAll(words)) yield word.toLowerCase();
}

function addWord(sums: Float64Array, word: string): void {
  const digest = hash('sha256', word, 'buffer');
  for (let at = 0; at < digest.length; at += 4) {
    const bits = digest.readUInt32LE(at);
    const position = (bits >>> 1) % sums.length;
    sums[position] = (sums[position] ?? 0) + ((bits & 1) === 0 ? 1 : -1);
  }
}
