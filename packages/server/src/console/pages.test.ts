import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listenForTest } from '@modelwire/vitest/listen';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeListener } from '../node.ts';
import { createServer } from '../server.ts';
import { testConsole } from '../testing/console.ts';
import { adapters, listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { consoleFiles } from './console-files.ts';

const engines = [scriptedEngine(() => says('Hi'))];
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml' }, redirect: 'manual' } as const;

/** Sends a path unchanged: `fetch` would normalize it. */
function fetchStatus(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { accept: 'text/html' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe.each(adapters)('with %s', (adapter) => {
  test('a browser that opens / is redirected to the console; an API client gets the JSON 404', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const redirected = await fetch(url, asBrowser);
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, 'console/']);
    const refused = await fetch(url);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ error: { code: 'unknown_url' } });
  });

  test('/console is redirected to /console/, relative to the address in the browser', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const redirected = await fetch(`${url}/console`, asBrowser);
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, 'console/']);
  });

  test.each([
    ['/console/', './'],
    ['/console/usage', './'],
    ['/console/completions/chatcmpl-1', '../'],
    ['/console/a/b/c?x=1', '../../'],
  ])('%s returns index.html with a base that resolves to /console/', async (path, base) => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const response = await fetch(url + path, asBrowser);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain(`<head><base href="${base}">`);
    expect(new URL(base, url + path).pathname).toBe('/console/');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('pages have a strict content security policy', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const { headers } = await fetch(`${url}/console/`, asBrowser);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(directive);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  test('assets are immutable in caches, other files are revalidated', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const asset = await fetch(`${url}/console/assets/main-abc123.js`);
    expect(await asset.text()).toBe('console.log(1)');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const icon = await fetch(`${url}/console/icon.svg`);
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    const etag = icon.headers.get('etag') ?? '';
    expect((await fetch(`${url}/console/icon.svg`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const page = await fetch(`${url}/console/`, asBrowser);
    const again = { ...asBrowser, headers: { ...asBrowser.headers, 'if-none-match': page.headers.get('etag') ?? '' } };
    expect((await fetch(`${url}/console/`, again)).status).toBe(304);
    const head = await fetch(`${url}/console/`, { ...asBrowser, method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('/console/ returns the page to every client', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    const response = await fetch(`${url}/console/`, { headers: { accept: '*/*' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('missing assets, unknown API paths and requests that do not accept HTML get a JSON 404', async () => {
    const { url } = await listen({ engines, console: testConsole }, adapter);
    for (const path of ['/console/assets/main-old.js', '/console/assets', '/console/api/nothing', '/console/api']) {
      const response = await fetch(url + path, asBrowser);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'unknown_url' } });
    }
    expect((await fetch(`${url}/console/usage`)).status).toBe(404);
  });

  test.each([
    '/console/../package.json',
    '/console/..%2fpackage.json',
    '/console/%2e%2e/%2e%2e/etc/passwd',
    '/console/assets/../../package.json',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/..\\..\\package.json',
    '/console/assets/%00',
    '/console//etc/passwd',
    '/console/assets//etc/passwd',
  ])('%s does not read a file', async (path) => {
    const folder = mkdtempSync(join(tmpdir(), 'modelwire-console-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'dist', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), 'secret');
    writeFileSync(join(folder, 'dist', 'assets', 'x-1.js'), '1');
    const files = consoleFiles(pathToFileURL(`${join(folder, 'dist')}/`));
    const { url } = await listen({ engines, console: files }, adapter);
    expect([400, 404]).toContain(await fetchStatus(url, path));
  });

  test('without files the page says how to install the console', async () => {
    const { url } = await listen({ engines, console: consoleFiles(undefined) }, adapter);
    const response = await fetch(`${url}/console/`, asBrowser);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('npm install @modelwire/console');
  });

  test('without the option nothing is served', async () => {
    const { url } = await listen({ engines }, adapter);
    for (const path of ['/', '/console', '/console/', '/console/api/session'])
      expect((await fetch(url + path, asBrowser)).status).toBe(404);
  });
});

test('works in a Hono app that mounts the server under a path', async () => {
  const server = createServer({ engines, keys: ['a-key-of-sixteen'], console: testConsole });
  const app = new Hono();
  app.mount('/a/b', server.fetch);
  const get = async (path: string) => app.request(path, asBrowser);
  expect((await get('/a/b/')).headers.get('location')).toBe('console/');
  expect((await get('/a/b/other')).status).toBe(404);
  expect((await get('/a')).status).toBe(404);
  expect((await app.request('/a/b/')).status).toBe(404);
  expect((await get('/a/b/console')).headers.get('location')).toBe('console/');
  expect(await (await get('/a/b/console/x/y')).text()).toContain('<base href="../">');
  expect(await (await get('/a/b/console/assets/main-abc123.js')).text()).toBe('console.log(1)');
  expect((await get('/a/b/console/assets/none.js')).status).toBe(404);
  await server.close();
});

test.each([
  ['/ai', '/ai/console/'],
  ['/a/b/', '/a/b/console/'],
  // Prefixes that could lead to another host are ignored.
  ['//attacker.example', 'console/'],
  ['https://attacker.example', 'console/'],
])('/ is redirected to the console below X-Forwarded-Prefix: %s', async (prefix, location) => {
  const { url } = await listen({ engines, console: testConsole });
  const headers = { ...asBrowser.headers, 'x-forwarded-prefix': prefix };
  const redirected = await fetch(url, { ...asBrowser, headers });
  expect(redirected.headers.get('location')).toBe(location);
});

test('works behind an app that removes the path at which it mounts the server', async () => {
  const server = createServer({ engines, keys: ['a-key-of-sixteen'], console: testConsole });
  const listener = nodeListener(server);
  const http = createHttp((incoming, response) => {
    incoming.url = incoming.url?.replace(/^\/prefix/, '');
    listener(incoming, response);
  });
  const url = `http://${await listenForTest(http)}/prefix`;
  onTestFinished(() => server.close());
  const followed = await fetch(`${url}/console`, { headers: { accept: 'text/html' } });
  expect(followed.url).toBe(`${url}/console/`);
  expect(await (await fetch(`${url}/console/x/y`, asBrowser)).text()).toContain('<base href="../">');
  expect((await fetch(new URL('../assets/main-abc123.js', `${url}/console/x/y`))).status).toBe(200);
});

test('files are compressed if the client accepts it, and source maps are not served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  const script = 'console.log("a line that repeats");\n'.repeat(200);
  writeFileSync(join(folder, 'assets', 'x-1.js'), script);
  writeFileSync(join(folder, 'assets', 'x-1.js.map'), '{}');
  const files = consoleFiles(pathToFileURL(`${folder}/`));
  expect([...files.keys()]).toEqual(['assets/x-1.js']);
  const { url } = await listen({ engines, console: files });
  const response = await fetch(`${url}/console/assets/x-1.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(Number(response.headers.get('content-length') ?? 0)).toBeLessThan(script.length / 4);
  expect(await response.text()).toBe(script);
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
});
