import { describe, expect, test } from 'vitest';
import type { ReplyHeaders } from './exchange.ts';
import { ResponseParser } from './response-parser.ts';

interface Parsed {
  readonly replies: { status: number; headers: ReplyHeaders; body: string; isReusable?: boolean }[];
  error?: unknown;
}

/** Parses the replies in pieces, followed by the end of the connection. */
function parse(pieces: readonly (string | Buffer)[]): Parsed {
  const parsed: Parsed = { replies: [] };
  const parser = new ResponseParser({
    onHeaders: (status, headers) => parsed.replies.push({ status, headers: { ...headers }, body: '' }),
    onData: (bytes) => (parsed.replies.at(-1)!.body += bytes.toString()),
    onComplete: (isReusable) => (parsed.replies.at(-1)!.isReusable = isReusable),
  });
  try {
    for (const piece of pieces) parser.push(Buffer.from(piece));
    parser.end();
  } catch (error) {
    parsed.error = error;
  }
  return parsed;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

const replies = {
  'with a length': [`${ok}Content-Length: 5\r\nX-A: b\r\n\r\nhello`, 'hello', true],
  'with an empty body': [`${ok}content-length: 0\r\n\r\n`, '', true],
  'of status 204': ['HTTP/1.1 204 No Content\r\n\r\n', '', true],
  'without a reason': ['HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi', 'hi', true],
  'in chunks': [
    `${chunked}5\r\nhello\r\n1;a="b"\r\n,\r\n00C \r\n hello again\r\n0\r\n\r\n`,
    'hello, hello again',
    true,
  ],
  'in chunks with trailers': [`${chunked}2\r\nhi\r\n0\r\nx-a: 1\r\nx-b: 2\r\n\r\n`, 'hi', true],
  'in empty chunks': [`${chunked}0\r\n\r\n`, '', true],
  'that ends with the connection': [`${ok}content-type: text/plain\r\n\r\nhello`, 'hello', false],
  'that closes the connection': [`${ok}connection: Close\r\ncontent-length: 2\r\n\r\nhi`, 'hi', false],
  'that closes it among other options': [`${ok}connection: a, close\r\ncontent-length: 2\r\n\r\nhi`, 'hi', false],
  'of HTTP/1.0': ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'hi', false],
  'of HTTP/1.0 in chunks': [
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    'hi',
    false,
  ],
  'of HTTP/1.0 that keeps it': ['HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi', 'hi', true],
} as const;

describe.each(Object.entries(replies))('a reply %s', (_, [text, body, isReusable]) => {
  test('is parsed the same for every division into pieces', () => {
    const whole = parse([text]);
    expect(whole).toMatchObject({ replies: [{ body, isReusable }] });
    expect(whole.error).toBeUndefined();
    for (let at = 1; at < text.length; at++) expect(parse([text.slice(0, at), text.slice(at)])).toEqual(whole);
    expect(parse(text.match(/[^]/g) ?? [])).toEqual(whole);
  });
});

test('separates two replies on one connection', () => {
  const first = `${chunked}2\r\nhi\r\n0\r\n\r\n`;
  const parsed = parse([first, `${ok}content-length: 3\r\n\r\nyou`]);
  expect(parsed.replies.map(({ body }) => body)).toEqual(['hi', 'you']);
  expect(parsed.error).toBeUndefined();
});

test('reports interim replies before the final one', () => {
  const parsed = parse([`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}content-length: 2\r\n\r\nhi`]);
  expect(parsed.replies).toMatchObject([{ status: 103 }, { status: 200, body: 'hi' }]);
});

test('converts header names to lower case, trims values, and lists repeated headers', () => {
  const lines = [
    'X-One:1',
    'x-space: \t a b\t ',
    'X-Twice: 1',
    'x-twice: 2',
    'x-empty:',
    'x-latin: ü',
    '__proto__: x',
    'constructor: y',
  ];
  const text = `${ok}${lines.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`;
  expect(parse([Buffer.from(text, 'latin1')]).replies[0]?.headers).toEqual({
    'x-one': '1',
    'x-space': 'a b',
    'x-twice': ['1', '2'],
    'x-empty': '',
    'x-latin': 'ü',
    constructor: 'y',
    'content-length': '0',
  });
});

const malformed = {
  'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
  'another version': 'HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n',
  'lines that end with LF': 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi',
  'a line that ends with CR': `${ok}x-a: b\rcontent-length: 2\r\n\r\nhi`,
  'a folded header': `${ok}x-a: b\r\n c\r\ncontent-length: 2\r\n\r\nhi`,
  'space before a colon': `${ok}content-length : 2\r\n\r\nhi`,
  'a header without a name': `${ok}: 2\r\n\r\n`,
  'a control character in a header': `${ok}x-a: \u0001\r\n\r\n`,
  'two lengths': `${ok}content-length: 2\r\ncontent-length: 2\r\n\r\nhi`,
  'a list of lengths': `${ok}content-length: 2, 2\r\n\r\nhi`,
  'a length with a sign': `${ok}content-length: +2\r\n\r\nhi`,
  'a length beside chunks': `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
  'another encoding': `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunks that are announced twice': `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a chunk without a size': `${chunked}\r\nhi\r\n0\r\n\r\n`,
  'a size with a prefix': `${chunked}0x2\r\nhi\r\n0\r\n\r\n`,
  'a size beyond 48 bits': `${chunked}1000000000000\r\nhi\r\n`,
  'a chunk that is longer than its size': `${chunked}2\r\nhi!\r\n0\r\n\r\n`,
  'a chunk line that ends with LF': `${chunked}2\nhi\r\n0\r\n\r\n`,
  'an extension that ends with LF': `${chunked}2;a\nhi\r\n0\r\n\r\n`,
  'extensions without end': `${chunked}2;${'a'.repeat(70_000)}`,
  'trailers without end': `${chunked}0\r\n${'x-a: b\r\n'.repeat(11_000)}`,
  'a trailer that ends with LF': `${chunked}0\r\nx-a: b\n\r\n`,
  'a trailer with CR in it': `${chunked}0\r\nx-a: b\rc\r\n\r\n`,
  'headers without end': `${ok}${'x-a: b\r\n'.repeat(3_000)}`,
  'headers of more than 16 KiB': `${ok}x-a: ${'b'.repeat(16 * 1024)}\r\n\r\n`,
  'something after a body': `${ok}content-length: 2\r\n\r\nhi!`,
} as const;

test.each(Object.entries(malformed))('rejects %s', (_, text) => {
  expect(parse([text]).error).toBeInstanceOf(Error);
  expect(parse(text.match(/[^]{1,7}/g) ?? []).error).toBeInstanceOf(Error);
});

test('rejects a second reply together with the first', () => {
  const reply = `${ok}content-length: 2\r\n\r\nhi`;
  const parsed = parse([reply + reply]);
  expect(parsed.replies).toHaveLength(1);
  expect(parsed.error).toBeInstanceOf(Error);
});

test('does not complete a truncated body', () => {
  for (const text of [
    `${ok}content-length: 5\r\n\r\nhel`,
    `${chunked}5\r\nhel`,
    `${chunked}3\r\nhel\r\n`,
    'HTTP/1.1 200',
  ])
    expect(parse([text]).replies.every(({ isReusable }) => isReusable === undefined)).toBe(true);
});

test('joins the chunks of one read', () => {
  const pieces: string[] = [];
  const parser = new ResponseParser({
    onHeaders: () => undefined,
    onData: (bytes) => pieces.push(bytes.toString()),
    onComplete: () => pieces.push('end'),
  });
  parser.push(Buffer.from(`${chunked}1\r\na\r\n1\r\nb\r\n2\r\nc`));
  parser.push(Buffer.from('d\r\n1\r\ne\r\n0\r\n\r\n'));
  expect(pieces).toEqual(['abc', 'de', 'end']);
});

test('separates replies with equal heads and with different heads of the same length', () => {
  const head = (a: string, length: number) => `${ok}x-a: ${a}\r\ncontent-length: ${length}\r\n\r\n`;
  const pieces = [
    `${head('1', 2)}hi`,
    `${head('1', 2)}ho`,
    `${head('2', 2)}he`,
    `${head('1', 3)}hey`,
    'HTTP/1.1 204 No Content\r\n\r\n',
  ];
  const { replies, error } = parse([...pieces, ...pieces]);
  expect(error).toBeUndefined();
  const expected = [
    [{ 'x-a': '1', 'content-length': '2' }, 'hi'],
    [{ 'x-a': '1', 'content-length': '2' }, 'ho'],
    [{ 'x-a': '2', 'content-length': '2' }, 'he'],
    [{ 'x-a': '1', 'content-length': '3' }, 'hey'],
    [{}, ''],
  ];
  expect(replies.map(({ headers, body }) => [headers, body])).toEqual([...expected, ...expected]);
});

test('parses an interim reply before each reply', () => {
  const reply = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' + `${chunked}2\r\nhi\r\n0\r\n\r\n`;
  const { replies, error } = parse([reply, reply]);
  expect(error).toBeUndefined();
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [103, ''],
    [200, 'hi'],
    [103, ''],
    [200, 'hi'],
  ]);
});
