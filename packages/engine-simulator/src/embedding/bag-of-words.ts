import type { EmbeddingInput, Pause } from '@modelwire/ports';

/** Numbers that one word changes. */
const numbersPerWord = 8;
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
  let state = hash(word);
  for (let draw = 0; draw < numbersPerWord; draw++) {
    state = mix(state + 0x9e3779b9);
    const at = (state >>> 1) % sums.length;
    sums[at] = (sums[at] ?? 0) + ((state & 1) === 0 ? 1 : -1);
  }
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
