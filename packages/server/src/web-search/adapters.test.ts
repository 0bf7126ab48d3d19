import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { UpstreamObserver, WebSearchQuery } from '@modelwire/ports';
import { serveHttp } from '../testing/serve-http.ts';
import { commandSearch } from './command-search.ts';
import { serviceSearch } from './service-search.ts';

const query: WebSearchQuery = { query: '$(id)', results: 3, search_context_size: 'low', location: { country: 'DE' } };
const { signal } = new AbortController();
const page = { title: 'A', url: 'https://a.example/', text: 'b' };

/** A program that Node runs. */
const program = (script: string, more: object = {}) =>
  commandSearch({ command: process.execPath, args: ['-e', script], ...more });

const echo = `let all = ''; process.stdin.on('data', (piece) => (all += piece)).on('end', () => {
  const found = { title: all, url: 'https://a.example/', more: 1 };
  console.log(JSON.stringify({ results: [found], env: 1 }));
})`;

test('a program receives the query as JSON on its standard input, without a shell', async () => {
  const [result] = await program(echo).search(query, { signal });
  expect(JSON.parse(result?.title ?? '')).toEqual(query);
  expect(result).toMatchObject({ url: page.url, text: '' });
});

test('a program has the variables it is given, and none of the server’s', async () => {
  process.env['MODELWIRE_TEST_SECRET'] = 'x';
  onTestFinished(() => {
    delete process.env['MODELWIRE_TEST_SECRET'];
  });
  const script = `console.log(JSON.stringify({ results: [{ url: 'https://a.example/', title: Object.keys(process.env).join() }] }))`;
  const [result] = await program(script, { env: { SEARCH_KEY: 'k' } }).search(query, { signal });
  expect(result?.title).toContain('SEARCH_KEY');
  expect(result?.title).not.toContain('MODELWIRE_TEST_SECRET');
});

test.each([
  ['prints no JSON', "console.log('hello')", 'not return JSON'],
  ['prints other JSON', "console.log('{}')", 'did not return { "results"'],
  ['fails', 'process.exit(3)', 'ended with 3'],
  ['prints without end', "setInterval(() => process.stdout.write('x'.repeat(70000)), 1)", 'more than 1048576 bytes'],
])('a program that %s is an error', async (_what, script, why) => {
  await expect(program(script).search(query, { signal })).rejects.toThrow(why);
});

test('a missing program, a timeout and an abort are errors', async () => {
  const missing = commandSearch({ command: '/no/such/program' });
  await expect(missing.search(query, { signal })).rejects.toThrow('could not be started');
  const slow = 'setInterval(() => undefined, 1000)';
  await expect(program(slow, { timeoutMs: 50 }).search(query, { signal })).rejects.toThrow(/timeout/i);
  const caller = new AbortController();
  const left = program(slow).search(query, { signal: caller.signal });
  caller.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
});

test('a service gets the query as JSON with its key', async () => {
  const seen: unknown[] = [];
  const host = await serveHttp((request, response) => {
    let all = '';
    request.on('data', (piece: Buffer) => (all += piece.toString()));
    request.on('end', () => {
      seen.push([request.method, request.url, request.headers.authorization, JSON.parse(all)]);
      response.end(JSON.stringify({ results: [page] }));
    });
  });
  expect(await serviceSearch({ url: `http://${host}/search`, apiKey: 'k' }).search(query, { signal })).toEqual([page]);
  expect(seen).toEqual([['POST', '/search', 'Bearer k', query]]);
});

test.each<[string, RequestListener, string]>([
  ['rejects the request', (_, response) => response.writeHead(403).end(), 'responded with status 403'],
  ['redirects', (_, response) => response.writeHead(302, { location: '/x' }).end(), 'responded with status 302'],
  ['sends another format', (_, response) => response.end('[]'), 'did not return { "results"'],
  ['sends too much', (_, response) => response.end('x'.repeat(1_100_000)), 'more than 1048576 bytes'],
  ['does not respond', () => undefined, 'timeout'],
])('a service that %s is an error', async (_what, listener, why) => {
  const url = `http://${await serveHttp(listener)}/search`;
  const timeoutMs = why === 'timeout' ? 50 : 10_000;
  await expect(serviceSearch({ url, timeoutMs }).search(query, { signal })).rejects.toThrow(new RegExp(why));
});

/** Records the attempts at a service, with their outcome. */
function attemptRecorder(): { readonly observer: UpstreamObserver; readonly attempts: object[] } {
  const attempts: object[] = [];
  const observer: UpstreamObserver = {
    startUpstreamAttempt: ({ origin: _, ...attempt }) => ({
      headers: { traceparent: 'trace-1' },
      end: (outcome) => void attempts.push({ ...attempt, ...outcome }),
    }),
  };
  return { observer, attempts };
}

const attempt = { upstream: 'web_search', model: undefined, method: 'POST', path: '/search', number: 1 };

test('a request to a service is reported to the observer, and has its trace headers', async () => {
  const { observer, attempts } = attemptRecorder();
  let traceparent: unknown;
  const host = await serveHttp((request, response) => {
    traceparent = request.headers['traceparent'];
    response.end(JSON.stringify({ results: [page] }));
  });
  await serviceSearch({ url: `http://${host}/search?key=secret` }).search(query, { signal, observer });
  expect(attempts).toEqual([{ ...attempt, status: 200 }]);
  expect(traceparent).toBe('trace-1');
});

test.each<[string, RequestListener, object]>([
  ['rejects the request', (_, response) => response.writeHead(403).end(), { status: 403, failure: 'status 403' }],
  ['sends another format', (_, response) => response.end('[]'), { status: 200, failure: 'malformed response' }],
  ['closes the connection', (request) => request.socket.destroy(), { status: undefined, failure: 'UND_ERR_SOCKET' }],
  ['does not respond', () => undefined, { status: undefined, failure: 'timeout' }],
])('the failure of a service that %s is reported to the observer', async (_what, listener, outcome) => {
  const { observer, attempts } = attemptRecorder();
  const url = `http://${await serveHttp(listener)}/search`;
  const timeoutMs = 'failure' in outcome && outcome.failure === 'timeout' ? 50 : 10_000;
  await expect(serviceSearch({ url, timeoutMs }).search(query, { signal, observer })).rejects.toThrow();
  expect(attempts).toEqual([{ ...attempt, ...outcome }]);
});

test('an aborted request to a service is no failure for the observer', async () => {
  const { observer, attempts } = attemptRecorder();
  const client = new AbortController();
  const url = `http://${await serveHttp(() => client.abort(new Error('left')))}/search`;
  await expect(serviceSearch({ url }).search(query, { signal: client.signal, observer })).rejects.toThrow('left');
  expect(attempts).toEqual([{ ...attempt, status: undefined, aborted: true }]);
});

test('refuses invalid options', () => {
  expect(() => commandSearch({ command: '' })).toThrow('command must not be empty');
  expect(() => commandSearch({ command: 'x', timeoutMs: 0 })).toThrow('timeoutMs');
  expect(() => serviceSearch({ url: 'ftp://a.example' })).toThrow('url must be');
});
