import { readFileSync } from 'node:fs';
import { hashText } from '@modelwire/engine-moderation/testing';

/** Meanings of words as unit vectors, by the hash of the word. */
export interface WordVectors {
  readonly size: number;
  readonly words: readonly string[];
  readonly vector: (hash: number) => Float32Array | undefined;
}

/** Reads the output of word-vectors.py. */
export function wordVectors(path: string): WordVectors {
  const bytes = readFileSync(path);
  const end = bytes.indexOf(10);
  const words = JSON.parse(bytes.toString('utf8', 0, end)) as string[];
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset + end + 1, bytes.byteOffset + bytes.length));
  const size = numbers.length / words.length;
  const rows = new Map(words.map((word, row) => [hashText(word), row]));
  return {
    size,
    words,
    vector: (hash) => {
      const row = rows.get(hash);
      return row === undefined ? undefined : numbers.subarray(row * size, (row + 1) * size);
    },
  };
}
