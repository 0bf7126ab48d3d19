import { describe, expect, test } from 'vitest';
import { createReplyReader } from './reply-reader.ts';

const replies = {
  'of a declared length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'that is empty': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'in chunks':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1A;x=1\r\n0\r\n\r\nabcdefghijklmnopqrstu\r\n0\r\n\r\n',
  'in chunks with a trailer': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nx-a: 1\r\n\r\n',
};

describe.each(Object.entries(replies))('a reply %s', (_, text) => {
  const bytes = Buffer.from(text);

  test('is complete at its last byte and no sooner, however it is split', () => {
    for (let at = 1; at < bytes.length; at++) {
      const reader = createReplyReader();
      expect(reader.push(bytes.subarray(0, at)), `the first ${at} bytes`).toBe(false);
      expect(reader.push(bytes.subarray(at)), `split at ${at}`).toBe(true);
      expect(reader.status).toBe(200);
    }
  });

  test('can follow another on the same connection', () => {
    const reader = createReplyReader();
    expect(reader.push(bytes)).toBe(true);
    reader.reset();
    expect(reader.push(bytes)).toBe(true);
  });
});

test('says when the body began and whether the connection stays', () => {
  const reader = createReplyReader();
  reader.push(Buffer.from('HTTP/1.1 429 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\n'));
  expect(reader).toMatchObject({ begun: false, status: 429, keepAlive: false });
  reader.push(Buffer.from('a'));
  expect(reader.begun).toBe(true);
});
