import { describe, expect, test } from 'vitest';
import { createSseDecoder } from './decode.ts';
import type { SseEvent } from './decode.ts';

const utf8 = new TextEncoder();

interface Vector {
  readonly rule: string;
  readonly stream: string | Uint8Array;
  /** A string stands for an event that has data alone. */
  readonly events: readonly (string | Partial<SseEvent>)[];
}

// The rules of the WHATWG standard that decoders in the field get wrong; each stream is pushed whole and in every split in two.
const vectors: readonly Vector[] = [
  { rule: 'LF ends a line', stream: 'data: a\n\ndata: b\n\n', events: ['a', 'b'] },
  { rule: 'CRLF ends a line, once', stream: 'data: a\r\ndata: b\r\n\r\n', events: ['a\nb'] },
  { rule: 'CR ends a line', stream: 'data: a\rdata: b\r\r', events: ['a\nb'] },
  {
    rule: 'all line ends may meet in one stream',
    stream: 'data: a\n\r\ndata: b\r\rdata: c\r\n\n',
    events: ['a', 'b', 'c'],
  },
  { rule: 'a CR as the last byte ends its line at once', stream: 'data: a\n\r', events: ['a'] },
  { rule: 'a CR after a CR ends the event at once', stream: 'data: a\r\r', events: ['a'] },
  { rule: 'LF CR is two line ends', stream: 'data: a\n\rdata: b\n\r', events: ['a', 'b'] },
  { rule: 'a BOM at the start is dropped', stream: '\uFEFFdata: a\n\n', events: ['a'] },
  { rule: 'only one BOM is dropped', stream: '\uFEFF\uFEFFdata: a\n\ndata: b\n\n', events: ['b'] },
  { rule: 'a BOM later is part of the line', stream: 'data: a\n\n\uFEFFdata: b\n\n', events: ['a'] },
  { rule: 'a BOM in a value is kept', stream: 'data: \uFEFFa\n\n', events: ['\uFEFFa'] },
  { rule: 'a BOM after a line end at the start is kept', stream: '\n\uFEFFdata: a\n\n', events: [] },
  { rule: 'characters of several bytes survive any split', stream: 'data: é漢😀\n\n', events: ['é漢😀'] },
  {
    rule: 'bytes that are not UTF-8 become U+FFFD',
    stream: Uint8Array.of(...utf8.encode('data: a'), 0xff, 0xc3, 10, 10, ...utf8.encode('data: b\n\n')),
    events: ['a\uFFFD\uFFFD', 'b'],
  },
  { rule: 'one space after the colon is dropped', stream: 'data: a\n\n', events: ['a'] },
  { rule: 'the space after the colon may be absent', stream: 'data:a\n\n', events: ['a'] },
  { rule: 'a second space is kept', stream: 'data:  a \n\n', events: [' a '] },
  { rule: 'a tab is kept', stream: 'data:\ta\n\n', events: ['\ta'] },
  { rule: 'a bare data field is an empty line of data', stream: 'data\n\n', events: [''] },
  { rule: 'an empty data field is an empty line of data', stream: 'data:\n\n', events: [''] },
  { rule: 'two bare data fields are one line end', stream: 'data\ndata\n\n', events: ['\n'] },
  { rule: 'data lines are joined by a line feed', stream: 'data: a\ndata: b\ndata: c\n\n', events: ['a\nb\nc'] },
  { rule: 'an empty first data line is kept', stream: 'data:\ndata: a\n\n', events: ['\na'] },
  { rule: 'a comment alone is nothing', stream: ': a\n\n:\n\n', events: [] },
  { rule: 'a comment inside an event is nothing', stream: 'data: a\n: x\ndata: b\n\n', events: ['a\nb'] },
  {
    rule: 'an event name without data dispatches nothing and is forgotten',
    stream: 'event: ping\n\ndata: a\n\n',
    events: ['a'],
  },
  {
    rule: 'an event has its name',
    stream: 'event: x\ndata: a\n\ndata: b\n\n',
    events: [{ data: 'a', event: 'x' }, 'b'],
  },
  { rule: 'an empty name is none', stream: 'event: x\nevent:\ndata: a\n\n', events: ['a'] },
  {
    rule: 'an id without data is kept for later events',
    stream: 'id: 1\n\ndata: a\n\n',
    events: [{ data: 'a', id: '1' }],
  },
  {
    rule: 'a bare id empties the last one',
    stream: 'id: 1\ndata: a\n\nid\ndata: b\n\n',
    events: [
      { data: 'a', id: '1' },
      { data: 'b', id: '' },
    ],
  },
  { rule: 'an id with NUL is ignored', stream: 'id: 1\nid: 2\0\ndata: a\n\n', events: [{ data: 'a', id: '1' }] },
  { rule: 'NUL in data is kept', stream: 'data: a\0b\n\n', events: ['a\0b'] },
  {
    rule: 'unknown fields, other cases and leading blanks are ignored',
    stream: 'foo: x\nData: x\n data: x\ndatax: y\ndata: a\n\n',
    events: ['a'],
  },
  { rule: 'a colon in a value is kept', stream: 'data: a: b:c\ndata::\n\n', events: ['a: b:c\n:'] },
  {
    rule: 'U+2028, U+0085, VT and FF end no line',
    stream: 'data: a\u2028b\u0085c\vd\fe\n\n',
    events: ['a\u2028b\u0085c\vd\fe'],
  },
  { rule: 'an event without its blank line is dropped', stream: 'data: a\n\ndata: b\n', events: ['a'] },
  { rule: 'a line without its end is dropped', stream: 'data: a\n\ndata: b', events: ['a'] },
  { rule: 'blank lines alone are nothing', stream: '\n\n\r\n\r\r\ndata: a\n\n\n\n\n', events: ['a'] },
  { rule: '[DONE] needs no space before it', stream: 'data:[DONE]\n\n', events: ['[DONE]'] },
  { rule: 'a retry field is no event', stream: 'retry: 10\n\ndata: a\n\n', events: ['a'] },
];

function decode(chunks: readonly Uint8Array[]): SseEvent[] {
  const events: SseEvent[] = [];
  const decoder = createSseDecoder({ onEvent: (event) => events.push(event) });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return events;
}

describe.each(vectors)('$rule', ({ stream, events }) => {
  const bytes = typeof stream === 'string' ? utf8.encode(stream) : stream;
  const expected = events.map((event) => ({
    event: undefined,
    id: undefined,
    ...(typeof event === 'string' ? { data: event } : event),
  }));

  test('in one piece', () => expect(decode([bytes])).toEqual(expected));

  test('in every split in two, and in single bytes', () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(decode([bytes.slice(0, at), bytes.slice(at)]), `split at ${at}`).toEqual(expected);
    }
    expect(decode(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });
});
