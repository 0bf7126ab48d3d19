import { expect, test } from 'vitest';
import { assertUnambiguousPath } from './unambiguous-path.ts';

const server = { origin: 'http://127.0.0.1:1', basePath: '/api/v1' };

test.each(['/rerank', '/audio/speech?a=b%20c&d=%2F%2e%2e', '/voices/J%C3%BCrgen%20B', '/models/a:b@c'])(
  '%s is sent',
  (path) => expect(() => assertUnambiguousPath(server, path)).not.toThrow(),
);

test.each([
  '/../admin',
  '/a/..',
  '/./a',
  '/%2e%2e/admin',
  '/.%2E/admin',
  '/a\\admin',
  '/a#b',
  '/a?b=c#d',
  '/a?b=c\\d',
  '/a b',
  '/a?b=c d',
  '/a\tb',
  '/a\n',
  '/a?b=\r\nx: y',
  '/ré',
  '/a?b=é',
])('%j is a 400', (path) => {
  expect(() => assertUnambiguousPath(server, path)).toThrow(
    expect.objectContaining({ status: 400, code: 'invalid_value' }),
  );
});
