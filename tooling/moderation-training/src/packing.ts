import { brotliCompressSync, constants } from 'node:zlib';
import {
  buckets,
  categories,
  columnOf,
  hashText,
  type Category,
  type Column,
  type WeightsHeader,
} from '@modelwire/engine-moderation/testing';
import type { Fit } from './training.ts';
import type { WordVectors } from './word-vectors.ts';

/** Weights of words including those of their meanings: meanings cost nothing at runtime. */
export interface Lexicon {
  readonly hashes: readonly number[];
  readonly table: Float32Array;
}

const size = categories.length;
/** Words kept: those with the largest weights. */
const mostWords = 60_000;

export function lexiconOf(fitted: Fit, { words, vector, size: meaningSize }: WordVectors): Lexicon {
  const all = new Set([...fitted.words.keys(), ...words.map((word) => hashText(word))]);
  const rows = [...all].map((hash) => {
    const row = new Float32Array(size);
    const own = fitted.words.get(hash);
    const meaning = vector(hash);
    for (let column = 0; column < size; column++) {
      let weight = own === undefined ? 0 : (fitted.word[own * size + column] ?? 0);
      if (meaning !== undefined)
        for (let i = 0; i < meaningSize; i++) weight += (meaning[i] ?? 0) * (fitted.meaning[i * size + column] ?? 0);
      row[column] = weight;
    }
    return { hash, row, size: Math.max(...row.map(Math.abs)), seen: own !== undefined };
  });
  const kept = rows
    .sort((a, b) => Number(b.seen) - Number(a.seen) || b.size - a.size)
    .slice(0, mostWords)
    .sort((a, b) => a.hash - b.hash);
  const table = new Float32Array(kept.length * size);
  kept.forEach(({ row }, at) => table.set(row, at * size));
  return { hashes: kept.map(({ hash }) => hash), table };
}

/** The value of one step of an 8-bit weight. The few larger weights are clamped. */
export function stepOf(table: Float32Array, column: number): number {
  const weights = [];
  for (let at = column; at < table.length; at += size) if (table[at] !== 0) weights.push(Math.abs(table[at] ?? 0));
  weights.sort((a, b) => a - b);
  return (weights[Math.floor(weights.length * 0.9998)] ?? 1) / 127;
}

/** A header as JSON, 8-bit weights category by category (which compresses best), then hashes of words. */
export function packWeights(
  table: Float32Array,
  lexicon: Lexicon,
  columns: Record<Category, Column>,
  { risky, common }: { readonly risky: readonly number[]; readonly common: readonly number[] },
): Buffer {
  const header: WeightsHeader = {
    format: 1,
    buckets,
    columns,
    words: lexicon.hashes.length,
    risky: risky.length,
    common: common.length,
  };
  const json = Buffer.from(JSON.stringify(header));
  const hashes = [...lexicon.hashes, ...risky, ...common];
  const bytes = Buffer.alloc(4 + json.length + table.length + lexicon.table.length + 4 * hashes.length);
  let at = bytes.writeUInt32LE(json.length, 0);
  at += json.copy(bytes, at);
  const put = (weights: Float32Array, step: (category: Category) => number): void => {
    for (const category of categories)
      for (let place = columnOf[category]; place < weights.length; place += size)
        at = bytes.writeInt8(Math.max(-127, Math.min(127, Math.round((weights[place] ?? 0) / step(category)))), at);
  };
  put(table, (category) => columns[category].step);
  put(lexicon.table, (category) => columns[category].wordStep);
  for (const hash of hashes) at = bytes.writeUInt32LE(hash, at);
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 },
  });
}
