import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRouter } from './router.ts';

const at = (method: string, path: string) => ({
  method,
  path,
  handle: () => Promise.reject(new Error(`${method} ${path}`)),
});
const endpoints = [
  at('POST', '/v1/files'),
  at('GET', '/v1/files'),
  at('GET', '/v1/files/{file_id}'),
  at('DELETE', '/v1/files/{file_id}'),
  at('GET', '/v1/files/{file_id}/content'),
  at('POST', '/v1/uploads/{upload_id}/parts'),
  at('GET', '/v1/models/{model}'),
];
const pages = [at('GET', '/console'), at('GET', '/console/*')];
const refused = (allowed: readonly string[]) => () => Promise.reject(new Error(`only ${allowed.join()}`));
const unknown = { handle: () => Promise.reject(new Error('unknown')), params: {} };
const findRoute = createRouter({ endpoints, pages, notAllowed: refused, findOther: () => unknown });

const find = (method: string, path: string) => {
  const found = findRoute(method, path);
  const endpoint = endpoints.find(({ handle }) => handle === found.handle);
  return endpoint && [`${endpoint.method} ${endpoint.path}`, found.params];
};

test.each([
  ['GET', '/v1/files', 'GET /v1/files', {}],
  ['POST', '/v1/files', 'POST /v1/files', {}],
  ['GET', '/v1/files/file-1', 'GET /v1/files/{file_id}', { file_id: 'file-1' }],
  ['DELETE', '/v1/files/file-1', 'DELETE /v1/files/{file_id}', { file_id: 'file-1' }],
  ['HEAD', '/v1/files/file-1/content', 'GET /v1/files/{file_id}/content', { file_id: 'file-1' }],
  ['POST', '/v1/uploads/a%20b%2Fc/parts', 'POST /v1/uploads/{upload_id}/parts', { upload_id: 'a b/c' }],
  ['GET', '/v1/files/%', 'GET /v1/files/{file_id}', { file_id: '%' }],
  ['GET', '/v1/files/%ff', 'GET /v1/files/{file_id}', { file_id: '%ff' }],
  ['GET', '/v1/models/org/name', 'GET /v1/models/{model}', { model: 'org/name' }],
  ['GET', '/v1/files/__proto__', 'GET /v1/files/{file_id}', { file_id: '__proto__' }],
])('%s %s is %s with %j', (method, path, endpoint, params) => {
  expect(find(method, path)).toEqual([endpoint, params]);
});

test.each([
  ['PUT', '/v1/files'],
  ['GET', '/v1/files/'],
  ['GET', '/v1/files/a/'],
  ['GET', '/v1/files/a/b'],
  ['GET', '/v1//files/a'],
  ['GET', '/V1/files/a'],
  ['HEAD', '/v1/uploads/a/parts'],
  ['GET', '*'],
  ['GET', ''],
])('%s %s matches no endpoint', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});

const encoded = fc.array(fc.constantFrom('%', '%2', '%2F', '%ff', 'a', '/', ':', '*')).map((parts) => parts.join(''));
const anyPath = fc.oneof(fc.string({ unit: 'binary' }), encoded);

test('matches any path without a slash as an ID, and never throws', () => {
  fc.assert(
    fc.property(fc.constantFrom('GET', 'POST', 'HEAD', 'x'), anyPath, (method, path) => {
      expect(find(method, `/v2/${path}`)).toBeUndefined();
      findRoute(method, path);
      const id = path.replaceAll('/', '');
      const isFile = (method === 'GET' || method === 'HEAD') && id !== '';
      expect(find(method, `/v1/files/${id}`)?.[0]).toBe(isFile ? 'GET /v1/files/{file_id}' : undefined);
    }),
  );
});

test('a path of endpoints with another method is refused with the methods that it allows', async () => {
  const { handle } = findRoute('PUT', '/v1/files');
  await expect(handle(undefined as never)).rejects.toThrow('only POST,GET');
});
