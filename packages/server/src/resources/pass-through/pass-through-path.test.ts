import { expect, test } from 'vitest';
import { createPathMatcher, pathBelowVersion } from './pass-through-path.ts';

test.each([
  ['/v1/rerank', '/rerank'],
  ['/v1/audio/speech', '/audio/speech'],
  ['/v1/models/a:b@c/load', '/models/a:b@c/load'],
  ['/v1/voices/J%C3%BCrgen%20B', '/voices/J%C3%BCrgen%20B'],
  ['/v1/..a/b...', '/..a/b...'],
])('%s may be forwarded', (path, below) => expect(pathBelowVersion(path)).toBe(below));

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v2/rerank',
  '/v1rerank',
  '/V1/rerank',
  '/v1/../admin',
  '/v1/a/..',
  '/v1/./rerank',
  '/v1/%2e%2e/admin',
  '/v1/.%2E/admin',
  '/v1/a%2f..%2fadmin',
  '/v1/a%2Fb',
  '/v1/%252e%252e/admin',
  '/v1/a%5cb',
  '/v1/..\\admin',
  '/v1//rerank',
  '/v1/rerank/',
  '/v1/chat/complet%69ons',
  '/v1/%63hat/completions',
  '/v1/re%00rank',
  '/v1/re%0d%0arank',
  '/v1/re%7frank',
  '/v1/re%zzrank',
  '/v1/re%',
  '/v1/rerank#a',
  '/v1/rerank?a',
  '/v1/ré',
  '/v1/re rank',
  '/v1/re\trank',
  '/v1/..;/admin',
  '/v1/..;a=b/admin',
  '/v1/..%3b/admin',
  '/v1/.;/rerank',
  '/v1/chat/completions;a=b',
  '/v1/chat/completions%3Ba=b',
  '/v1/files%20',
  '/v1/files%20/a',
  '/v1/%20/admin',
  '/v1/.../admin',
  '/v1/%c0%ae%c0%ae/admin',
  '/v1/%ef%bc%8e%ef%bc%8e/admin',
  '/v1/a%ef%bc%8fb',
  '/v1/%23a',
  'http://other/v1/rerank',
  '//other/v1/rerank',
])('%j may not be forwarded', (path) => expect(pathBelowVersion(path)).toBeUndefined());

test('knows the paths of a server in upper and lower case, with their parameters', () => {
  const isOwn = createPathMatcher(['/v1/files', '/v1/files/{file_id}', '/v1/models/{model}']);
  for (const path of ['/v1/files', '/v1/FILES', '/v1/files.', '/v1/files/a.b', '/v1/models/a/b/c'])
    expect(isOwn(path)).toBe(true);
  for (const path of ['/v1/files/a/b', '/v1/file', '/v1/models', '/v1/rerank']) expect(isOwn(path)).toBe(false);
});
