import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from './split-lines.ts';
import type { SplitLine } from './split-lines.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(bytes: Uint8Array, cuts: readonly number[] = [], maxBytes = 20): SplitLine[] {
  const splitter = lineSplitter(maxBytes);
  const lines: SplitLine[] = [];
  let start = 0;
  for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    const piece = bytes.slice(start, Math.max(start, end));
    lines.push(...splitter.push(piece));
    // The source may reuse the memory of the piece.
    piece.fill(0x21);
    start = Math.max(start, end);
  }
  return [...lines, ...splitter.end()];
}

const texts = (bytes: Uint8Array): (string | undefined)[] => split(bytes).map(({ text, problem }) => problem ?? text);

test.each([
  ['LF and CRLF end lines', 'one\ntwo\r\nthree\n', ['one', 'two', 'three']],
  ['the last line needs no end', 'one\ntwo', ['one', 'two']],
  ['a byte order mark at the beginning is passed over', '\uFEFFone\ntwo', ['one', 'two']],
  ['a byte order mark elsewhere is part of its line', 'one\n\uFEFFtwo', ['one', '\uFEFFtwo']],
  ['a file that ends within CRLF', 'one\r', ['one']],
  ['a single CR ends nothing', 'one\rtwo', ['one\rtwo']],
  ['other separators of Unicode end nothing', 'one\u2028two', ['one\u2028two']],
  ['no bytes are no lines', '', []],
  ['a mark alone is no line', '\uFEFF', []],
  ['blank lines are no lines', '\n \t\r\n\none\n\n', ['one']],
])('%s', (_, text, expected) => {
  expect(texts(bytesOf(text))).toEqual(expected);
});

test('lines are numbered from 1, including blank ones', () => {
  expect(split(bytesOf('\none\n\r\ntwo')).map(({ number }) => number)).toEqual([2, 4]);
});

test('reports a line that is too long, and reads the next one', () => {
  expect(texts(bytesOf(`${'x'.repeat(20)}\r\n${'x'.repeat(21)}\n${'x'.repeat(100)}\nfour`))).toEqual([
    'x'.repeat(20),
    'too_long',
    'too_long',
    'four',
  ]);
});

test('reports the line of invalid UTF-8', () => {
  expect(texts(new Uint8Array([0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62, 0x0a, 0xe2, 0x82]))).toEqual([
    'a',
    'not_utf8',
    'b',
    'not_utf8',
  ]);
});

test('the lines are the same however the bytes are split', () => {
  const word = fc.constantFrom('a', 'é', '😀', '\r', '\n', '\r\n', ' ', '\uFEFF', 'x'.repeat(11));
  const bytes = fc.oneof(
    fc.array(word).map((words) => bytesOf(words.join(''))),
    fc.uint8Array({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 20 }), (whole, cuts) => {
      const inRange = cuts.map((cut) => cut % (whole.length + 1));
      expect(split(whole, inRange)).toEqual(split(whole));
    }),
    { numRuns: 500 },
  );
});

test('an endless line takes no memory beyond the limit', () => {
  const splitter = lineSplitter(1000);
  const piece = new Uint8Array(64 * 1024).fill(0x61);
  const before = process.memoryUsage().arrayBuffers;
  for (let megabytes = 0; megabytes < 200 * 16; megabytes++) expect(splitter.push(piece)).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  expect(splitter.end()).toEqual([{ number: 1, text: undefined, problem: 'too_long' }]);
});
