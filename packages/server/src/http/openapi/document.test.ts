import { contract } from '@modelwire/schema';
import { expect, onTestFinished, test } from 'vitest';
import { docsPage } from '../../docs.ts';
import * as errors from '../../errors.ts';
import { createServer } from '../../server.ts';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

type Node = Readonly<Record<string, unknown>>;

async function document() {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], docs: docsPage() });
  return {
    url,
    json: (await (await fetch(`${url}/openapi.json`)).json()) as Node & {
      paths: Record<string, Node>;
      components: { schemas: Node };
    },
  };
}

test('the document contains the served endpoints as the contract defines them', async () => {
  const { json } = await document();
  expect(json['openapi']).toBe('3.1.0');
  expect(Object.keys(json.paths)).toEqual([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/responses/input_tokens',
    '/v1/responses/compact',
    '/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/completions',
    '/v1/models',
    '/v1/models/{model}',
    '/v1/capabilities/{model}',
  ]);
  expect(json.paths['/v1/chat/completions']?.['post']).toMatchObject({
    operationId: 'chat_completions_create',
    summary: contract['chat.completions.create'].summary,
  });
});

test('documents the header for omitted tools where it can occur', async () => {
  const { json } = await document();
  const headersOf = (path: string): unknown => json.paths[path]?.['post'];
  const header = { description: expect.any(String) as string, schema: { type: 'string' } };
  const responses = { 200: { headers: { 'x-modelwire-unsupported-tools': header } } };
  expect(headersOf('/v1/responses')).toMatchObject({ responses });
  expect(headersOf('/v1/chat/completions')).not.toMatchObject({ responses });
});

test('other requests run between the operations of the document', async () => {
  const server = createServer({ engines: [scriptedEngine(() => says('Hi'))], keys: ['test-key-1234567890'] });
  onTestFinished(() => server.close(0));
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const response = await server.fetch(new Request('http://localhost/openapi.json'));
  clearImmediate(next);
  const { paths } = (await response.json()) as { readonly paths: Readonly<Record<string, object>> };
  const operations = Object.values(paths).flatMap((path) => Object.keys(path)).length;
  expect(turns).toBeGreaterThanOrEqual(operations);
});

test('responses that clients can retry document retry-after and x-should-retry', async () => {
  const { json } = await document();
  const create = json.paths['/v1/chat/completions']?.['post'];
  for (const status of [409, 429, 503]) {
    for (const header of ['retry-after', 'x-should-retry']) {
      expect(create).toHaveProperty(['responses', String(status), 'headers', header]);
    }
  }
});

test('every reference points to a schema of the document', async () => {
  const { json } = await document();
  const references = [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((name) => !(name in json.components.schemas))).toEqual([]);
  expect(JSON.stringify(json)).not.toMatch(/"\$ref":"#\/\$defs/);
});

test('the document contains the request table: required fields and limits, and no other fields', async () => {
  const { json } = await document();
  const request = json.components.schemas['ChatCompletionCreateParams'] as Node & { properties: Record<string, Node> };
  expect(request['required']).toEqual(expect.arrayContaining(['messages', 'model']));
  expect(request['additionalProperties']).toBe(false);
  expect(JSON.stringify(request.properties['temperature'])).toContain('"maximum":2');
  expect(request.properties['user']).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'null' }] });
});

test('the reference page loads only from this server', async () => {
  const { url } = await document();
  const page = await fetch(`${url}/docs`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, path]) => path ?? '')
    .filter((path) => !path.startsWith('data:'));
  expect(named).toHaveLength(2);
  for (const path of named) expect((await fetch(new URL(path, url))).status).toBe(200);
});

test('the document contains all errors of an endpoint with their codes', () => {
  const documented = new Map<number, Set<string | null>>();
  for (const { status, codes } of contract['chat.completions.create'].errors) {
    const known = documented.get(status) ?? new Set();
    for (const code of codes) known.add(code);
    documented.set(status, known);
  }
  const sent = [
    errors.invalid('n', 'no'),
    errors.unsupported('n', 'no'),
    errors.unsupportedValue('n', 'no'),
    errors.missingKey(),
    errors.invalidKey(),
    errors.modelNotFound('m'),
    errors.bodyTooLarge(1),
    errors.unsupportedContentType('x'),
    errors.overloaded(1),
    errors.shuttingDown(),
    errors.toRequestError(new Error('inside')),
  ];
  for (const { status, code } of sent) expect([...(documented.get(status) ?? [])]).toContain(code);
});
