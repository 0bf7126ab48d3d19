import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { createPause } from '@modelwire/adapter-kit';
import { categories, type Category } from './categories.ts';
import { buckets } from './features.ts';
import { packedRows, setWeight, type PackedRows } from './rows.ts';
import { vocabularyOf, type Vocabulary } from './vocabulary.ts';

/** Constants of a category. */
export interface Column {
  /** The value of one step of an 8-bit weight: of a bucket, and of a word. */
  readonly step: number;
  readonly wordStep: number;
  readonly bias: number;
  /** How much more likely the category becomes with the logit, from a calibration. */
  readonly slope: number;
}

export interface Weights {
  readonly columns: readonly Column[];
  /** A weight for each bucket and category. */
  readonly table: PackedRows;
  /** The same for known words: the row of each word's hash. */
  readonly wordRows: ReadonlyMap<number, number>;
  readonly wordTable: PackedRows;
  readonly vocabulary: Vocabulary;
}

/** The header of the file. */
export interface WeightsHeader {
  readonly format: 1;
  readonly buckets: number;
  readonly columns: Readonly<Record<Category, Column>>;
  readonly words: number;
  readonly risky: number;
  readonly common: number;
}

/**
 * Reads a file of `packWeights` in the training script: a header as JSON, weights category by category, then hashes of words. A
 * generator that yields between steps: on a loaded machine all of it blocks the event loop for 200 ms.
 */
function* unpack(bytes: Buffer): Generator<undefined, Weights> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(0, true);
  const header = JSON.parse(bytes.toString('utf8', 4, 4 + headerLength)) as WeightsHeader;
  // The type is a literal, so this checks for a file of another version.
  if ((header.format as number) !== 1 || header.buckets !== buckets)
    throw new Error('The weights are of another version of this package');
  let at = 4 + headerLength;
  function* tableOf(rows: number): Generator<undefined, PackedRows> {
    const table = packedRows(rows);
    for (let column = 0; column < categories.length; column++) {
      for (let row = 0; row < rows; row++) {
        setWeight(table, row, column, view.getInt8(at++));
        if (row % rowsPerStep === 0) yield;
      }
    }
    return table;
  }
  function* hashes(count: number): Generator<undefined, number[]> {
    const list = Array.from({ length: count }, (_, i) => view.getUint32(at + 4 * i, true));
    at += 4 * count;
    yield;
    return list;
  }
  const table = yield* tableOf(buckets);
  const wordTable = yield* tableOf(header.words);
  const wordRows = new Map((yield* hashes(header.words)).map((hash, row) => [hash, row]));
  const risky = yield* hashes(header.risky);
  const common = yield* hashes(header.common);
  return {
    columns: categories.map((category) => header.columns[category]),
    table,
    wordRows,
    wordTable,
    vocabulary: vocabularyOf(risky, common),
  };
}

const rowsPerStep = 8192;

let loading: Promise<Weights> | undefined;

/** The weights of this package, loaded at the first use in steps that yield to the event loop. */
export function loadWeights(): Promise<Weights> {
  return (loading ??= load().catch((error: unknown) => {
    // The next request may find the file.
    loading = undefined;
    throw error;
  }));
}

/** The file that `tooling/moderation-training` writes. */
export const weightsFile = new URL('../weights/text.bin', import.meta.url);

async function load(): Promise<Weights> {
  const packed = await readFile(weightsFile);
  const steps = unpack(await promisify(brotliDecompress)(packed));
  const pause = createPause();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const wait = pause();
    if (wait) await wait;
  }
}
