import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenForTest } from '@modelwire/vitest/listen';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { findLocalServers, localServersMessage, looksForLocalServers, withLocalServers } from './local-servers.ts';
import type { LocalServer } from './local-servers.ts';
import { readSettings } from '../config/settings.ts';
import { startMinimalUpstream } from '../testing/minimal-upstream.ts';

/** A fake server: responds to these paths like a product, and to others with 404. */
async function startFakeServer(
  answers: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return listening((request, response) => {
    const body = answers[request.url ?? ''];
    const text = JSON.stringify(body ?? { error: 'not found' });
    response.writeHead(body === undefined ? 404 : 200, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return `http://${await listenForTest(server)}/v1`;
}

const list = (owned_by: string, ...ids: readonly string[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, owned_by })),
});

test('recognizes Ollama, LM Studio, llama.cpp and vLLM by their responses', async () => {
  const urls = await Promise.all([
    startFakeServer({
      '/v1/models': list('library', 'llama3.2:3b', 'nomic-embed-text:latest'),
      '/api/version': { version: '0.12' },
    }),
    startFakeServer({ '/v1/models': list('organization_owner', 'qwen2.5', 'text-embedding-nomic-embed-text-v1.5') }),
    startFakeServer({ '/v1/models': list('me', 'smol.gguf') }, { server: 'llama.cpp' }),
    startFakeServer({ '/v1/models': list('vllm', 'meta-llama/Llama-3.1-8B') }),
    startFakeServer({ '/v1/models': list('somebody', 'some-model') }),
  ]);
  const found = await findLocalServers({ localServers: urls });
  expect(found.map(({ product, models }) => [product, models])).toEqual([
    ['Ollama', ['llama3.2:3b']],
    ['LM Studio', ['qwen2.5']],
    ['llama.cpp', ['smol.gguf']],
    ['vLLM', ['meta-llama/Llama-3.1-8B']],
    [undefined, ['some-model']],
  ]);
  expect(found.map(({ baseURL }) => baseURL)).toEqual(urls);
});

test('reads lists of models that differ from the API, and names a known server without models', async () => {
  const urls = await Promise.all([
    startFakeServer({ '/v1/models': ['plain'] }),
    startFakeServer({ '/v1/models': { data: [{ id: null }, { id: 'good', owned_by: 'vllm' }] } }),
    startFakeServer({ '/v1/models': { object: 'list', data: null }, '/api/version': { version: '0.12' } }),
    startFakeServer({ '/v1/models': { object: 'list', data: null } }),
    startFakeServer({ '/v1/models': { error: 'no models' } }),
  ]);
  const found = await findLocalServers({ localServers: urls });
  expect(found.map(({ product, models }) => [product, models])).toEqual([
    [undefined, ['plain']],
    ['vLLM', ['good']],
    ['Ollama', []],
  ]);
});

test('does not find servers that list no models, are closed, or do not respond', async () => {
  const silent = await listening(() => undefined);
  const page = await listening((_, response) => response.end('<html>'));
  const other = await startFakeServer({ '/v1/models': { models: [] } });
  const closedServer = await startFakeServer({});
  expect(
    await findLocalServers({ localServers: [silent, page, other, closedServer, 'http://127.0.0.1:1/v1'] }),
  ).toEqual([]);
});

test('finds a known server that requires a key, without its models', async () => {
  const keyed = await listening((_, response) => {
    response.writeHead(401, { server: 'llama.cpp' });
    response.end('{}');
  });
  const anything = await listening((_, response) => {
    response.writeHead(401);
    response.end();
  });
  expect(await findLocalServers({ localServers: [keyed, anything] })).toEqual([
    { product: 'llama.cpp', baseURL: keyed, models: [], needsKey: true },
  ]);
});

test.each([
  ['nothing', {}, true],
  ['an upstream', { MODELWIRE_UPSTREAM_URL: 'http://a/v1' }, false],
  ['a GGUF file', { MODELWIRE_GGUF: 'a.gguf' }, false],
  ['aliases', { MODELWIRE_MODEL_ALIASES: 'a=simulator' }, false],
  ['the option', { MODELWIRE_LOCAL_SERVERS: 'false' }, false],
  ['a port', { PORT: '1' }, true],
])('looks for servers unless models are configured: %s', async (_, env, expected) => {
  expect(looksForLocalServers(await readSettings(tmpdir(), env))).toBe(expected);
});

const found: readonly LocalServer[] = [
  { product: 'Ollama', baseURL: 'http://127.0.0.1:11434/v1', models: ['a', 'b', 'c', 'd'], needsKey: false },
  { product: 'vLLM', baseURL: 'http://127.0.0.1:8000/v1', models: [], needsKey: true },
];

test('prints each server with the line that uses it', () => {
  expect(localServersMessage(found, 'offered', 'npm start')).toBe(`
  Found Ollama at http://127.0.0.1:11434/v1, 4 chat models: a, b, c, …. To use it:
    MODELWIRE_UPSTREAM_URL=http://127.0.0.1:11434/v1 npm start
  Found vLLM at http://127.0.0.1:8000/v1, which requires an API key. To use it:
    MODELWIRE_UPSTREAM_URL=http://127.0.0.1:8000/v1 MODELWIRE_UPSTREAM_API_KEY=<key> npm start
  To use what is found at each start:
    npm start -- --auto
`);
  expect(localServersMessage([], 'offered', 'npm start')).toBe('');
  expect(localServersMessage([], 'wanted', 'npm start')).toContain('No model server was found');
});

test('uses those with a chat model as upstreams', async () => {
  const settings = await readSettings(tmpdir(), {});
  expect(withLocalServers(settings, found).upstreams).toEqual([{ baseURL: 'http://127.0.0.1:11434/v1' }]);
  expect(withLocalServers(settings, found.slice(1))).toBe(settings);
});

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** The output of the program until it contains a text. */
async function outputOf(args: readonly string[], servers: string, until: RegExp): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-local-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    MODELWIRE_LOCAL_SERVERS: servers,
    MODELWIRE_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...env, MODELWIRE_API_KEYS: 'test-key-1234567890' },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
    rmSync(cwd, { recursive: true });
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await expect.poll(() => output).toMatch(until);
  return output;
}

test('a start without configuration prints what was found, and serves the simulator', async () => {
  const upstream = await startMinimalUpstream();
  onTestFinished(() => upstream.close());
  const output = await outputOf([], upstream.config.baseURL, /--auto/);
  expect(output).toContain(`MODELWIRE_UPSTREAM_URL=${upstream.config.baseURL} npm start`);
  expect(output).toContain('models     simulator');
});

test('--auto serves the models that were found', async () => {
  const upstream = await startMinimalUpstream();
  onTestFinished(() => upstream.close());
  const output = await outputOf(['--auto'], upstream.config.baseURL, /Uses a model server/);
  const url = /curl (http:\S+\/v1)\//.exec(output)?.[1] ?? '';
  const client = new OpenAI({ apiKey: 'test-key-1234567890', baseURL: url, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello!' }];
  const { choices } = await client.chat.completions.create({ model: 'plain', messages });
  expect(choices[0]?.message.content).toBe('One two three four.');
});
