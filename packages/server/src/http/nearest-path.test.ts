import { contract } from '@modelwire/schema';
import { expect, test } from 'vitest';
import { key, listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { createPathSuggestions } from './nearest-path.ts';

const suggestPath = createPathSuggestions(
  Object.values(contract).map(({ route: { method, path } }) => ({ method, path: `/v1${path}` })),
);

test.each([
  ['GET', '/v1/model', '/v1/models'],
  ['HEAD', '/v1/model', '/v1/models'],
  ['POST', '/v1/chat/completion', '/v1/chat/completions'],
  ['POST', '/v1/chatcompletions', '/v1/chat/completions'],
  ['POST', '/v1/chat', '/v1/chat/completions'],
  ['POST', '/v1/completion', '/v1/completions'],
  ['POST', '/v1/embedding', '/v1/embeddings'],
  ['POST', '/v1/respones', '/v1/responses'],
  ['POST', '/v1/responses/compct', '/v1/responses/compact'],
  ['GET', '/v1/respones/resp_1/input_item', '/v1/responses/resp_1/input_items'],
  ['DELETE', '/v1/file/file-abc', '/v1/files/file-abc'],
  ['PATCH', '/v1/file', '/v1/files'],
  ['POST', '/v1/v1/chat/completions', '/v1/chat/completions'],
  ['GET', '/v1/v1/v1/files/file-abc/content', '/v1/files/file-abc/content'],
  ['POST', '/chat/completions', '/v1/chat/completions'],
  ['POST', '/V1/Chat/Completions', '/v1/chat/completions'],
  ['POST', '/v1//responses/', '/v1/responses'],
  ['GET', '/v1/organization/project', '/v1/organization/projects'],
])('suggests for %s %s the path %s', (method, path, expected) => {
  expect(suggestPath(method, path)).toBe(expected);
});

test.each([
  ['GET', '/v1/rerank'],
  ['POST', '/v1/audio/speech'],
  ['POST', '/v1/images/generations'],
  ['GET', '/v1/fine_tuning/jobs'],
  ['POST', '/v1/models'],
  ['GET', '/v1'],
  ['GET', '/'],
  ['GET', '/robots.txt'],
  ['GET', `/v1/files/${'a/'.repeat(100_000)}`],
])('suggests nothing for %s %.40s', (method, path) => {
  expect(suggestPath(method, path)).toBeUndefined();
});

test('the 404 of an unknown path and the 405 of a wrong method name the path that may have been meant', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const errorOf = async (method: string, path: string) => {
    const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } });
    const { error } = (await response.json()) as { error: { message: string } };
    return [response.status, error.message];
  };
  expect(await errorOf('GET', '/v1/modles')).toEqual([
    404,
    'Unknown request URL: GET /v1/modles. Did you mean /v1/models?',
  ]);
  expect(await errorOf('POST', '/v1/v1/responses')).toEqual([
    404,
    'Unknown request URL: POST /v1/v1/responses. Did you mean /v1/responses?',
  ]);
  expect(await errorOf('GET', '/v1/chat/completions')).toEqual([
    405,
    'Not allowed to GET on /v1/chat/completions; allowed: POST.',
  ]);
  expect(await errorOf('GET', '/v1/nothing')).toEqual([404, 'Unknown request URL: GET /v1/nothing.']);
});
