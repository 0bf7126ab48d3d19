import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSseDecoder } from './decode.ts';
import { DONE, DONE_EVENT, encodeComment, encodeData } from './encode.ts';

function decode(text: string): string[] {
  const events: string[] = [];
  createSseDecoder({ onEvent: ({ data }) => events.push(data) }).push(new TextEncoder().encode(text));
  return events;
}

test('encodes JSON as one data line and a blank line', () => {
  expect(encodeData('{"a":1}')).toBe('data: {"a":1}\n\n');
});

test('encodes text of several lines as several data lines', () => {
  expect(encodeData('a\nb\r\n\rc')).toBe('data: a\ndata: b\ndata: \ndata: c\n\n');
});

test('encodes a comment without data, whatever its text', () => {
  expect(encodeComment('ping')).toBe(': ping\n\n');
  expect(decode(`${encodeComment('a\ndata: b\r\rdata: c')}data: d\n\n`)).toEqual(['d']);
});

test('ends a stream with [DONE]', () => {
  expect(encodeData(DONE)).toBe(DONE_EVENT);
});

test('is decoded to the same text, with line ends as LF', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom('\r', '\n', ' ', ':', 'a')).map((c) => c.join('')),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const expected = texts.map((each) => each.replace(/\r\n?/g, '\n'));
      expect(decode(texts.map(encodeData).join(encodeComment('x')))).toEqual(expected);
    }),
  );
});

test('is decoded to the same JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(decode(encodeData(json))).toEqual([json]);
    }),
  );
});
