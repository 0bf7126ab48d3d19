import { stopTables } from '@modelwire/adapter-kit';
import { beforeAll, expect, test } from 'vitest';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { createTextStream } from './text-stream.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

/** The chunks of some tokens, and whether no stop sequence was complete. */
function chunksOf(
  ids: readonly number[],
  stop: readonly string[] = [],
): [chunks: [string, number][], isWhole: boolean] {
  const chunks: [string, number][] = [];
  const stream = createTextStream(tokenizer, stopTables(stop), ({ text, tokens }) => void chunks.push([text, tokens]));
  return [chunks, ids.every((id) => stream.push(id, undefined)) && stream.end()];
}

test('buffers the parts of a character until it is complete', () => {
  const ids = tokenizer.encode('🜚');
  expect(ids.length).toBeGreaterThan(1);
  expect(chunksOf(ids)).toEqual([[['🜚', ids.length]], true]);
});

test('ends a character that is never completed with U+FFFD', () => {
  const [first = 0] = tokenizer.encode('🜚');
  const [letter = 0] = tokenizer.encode('a');
  expect(chunksOf([first])).toEqual([[['\ufffd', 1]], true]);
  expect(chunksOf([first, letter])).toEqual([[['\ufffda', 2]], true]);
});

test('buffers text that may start a stop sequence, and emits no part of a complete one', () => {
  const ids = tokenizer.encode('one two three four');
  expect(chunksOf(ids, [' two three five'])).toEqual([
    [
      ['one', 1],
      [' two', 1],
      [' three', 1],
      [' four', 1],
    ],
    true,
  ]);
  expect(chunksOf(ids, ['wo thr'])).toEqual([
    [
      ['one', 1],
      [' t', 1],
    ],
    false,
  ]);
});
