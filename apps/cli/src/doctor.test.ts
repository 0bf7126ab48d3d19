import { chmodSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { listenForTest } from '@modelwire/vitest/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';
import { fakeService } from './testing/fake-service.ts';
import { fakeTerminal, folder, lines, runCommand } from './testing/fake-terminal.ts';
import type { FakeOptions } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

interface Diagnosis {
  readonly code: number;
  /** Status, message and fix of each check, by name. */
  readonly checks: Readonly<Record<string, string>>;
}

async function doctor(
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  options: FakeOptions = {},
): Promise<Diagnosis> {
  const { code, out } = await runCommand(['doctor', '--json', ...words], {
    ...options,
    env: { ...server.env, ...env },
  });
  const results = lines(out) as { name: string; status: string; message: string; fix?: string }[];
  return {
    code,
    checks: Object.fromEntries(
      results.map(({ name, status, message, fix }) => [name, `${status}: ${message} → ${fix ?? ''}`]),
    ),
  };
}

describe('doctor', () => {
  test('reports no problem with a working server, and the time to the first token', async () => {
    const { code, checks } = await doctor({});
    expect(code).toBe(EXIT.ok);
    expect(Object.values(checks).filter((check) => !check.startsWith('ok'))).toEqual([]);
    expect(checks['chat']).toContain('first token after');
  });

  test('prints text without --json, and never the key', async () => {
    const { out } = await runCommand(['doctor'], { env: server.env });
    expect(out).toContain('✓ server');
    expect(out).not.toContain(server.env['MODELWIRE_API_KEY']);
    expect(out).toContain('…7890 (MODELWIRE_API_KEY)');
  });

  test('finds the base URL when the version prefix is missing', async () => {
    // Unlike ours, this server has its endpoints only below the prefix.
    const prefixed = createServer((request, response) => {
      if (request.url?.startsWith('/v1/') !== true) return void response.writeHead(404).end('<h1>Not Found</h1>');
      const forwarded = get(new URL(request.url, server.url), { headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
    });
    const url = `http://${await listenForTest(prefixed)}`;
    const { code, checks } = await doctor({ MODELWIRE_BASE_URL: url });
    expect(code).toBe(EXIT.unsuccessful);
    expect(checks['server']).toContain(`modelwire config set base-url ${url}/v1`);
  });

  test('accepts a base URL without the version prefix if the server does', async () => {
    expect((await doctor({ MODELWIRE_BASE_URL: server.url })).code).toBe(EXIT.ok);
  });

  test.each([
    ['127.0.0.1:8787', 'Try http://127.0.0.1:8787/v1'],
    ['nonsense', 'Try http://nonsense/v1'],
    ['ftp://models.example.com', 'is not an HTTP URL'],
    ['https://me:secret@models.example.com/v1', 'Store the API key separately'],
    ['http://127.0.0.1:8787/v1/chat/completions', 'Remove the endpoint: http://127.0.0.1:8787/v1'],
  ])('finds the problem of the base URL %s without connecting', async (url, fix) => {
    const { code, checks } = await doctor({ MODELWIRE_BASE_URL: url });
    expect(code).toBe(EXIT.unsuccessful);
    expect(checks['base URL']).toContain(fix);
    expect(checks['server']).toMatch(/^skipped/);
  });

  test('finds a closed port and an unknown host name', async () => {
    const http = createServer();
    const host = await listenForTest(http);
    await new Promise((resolve) => http.close(resolve));
    const { checks } = await doctor({ MODELWIRE_BASE_URL: `http://${host}/v1` });
    expect(checks['network']).toContain(`refuses connections on port ${host.split(':')[1] ?? ''}.`);
    expect((await doctor({ MODELWIRE_BASE_URL: 'http://no.invalid/v1' })).checks['network']).toMatch(
      /^error: The host name no.invalid cannot be resolved/,
    );
  });

  test('finds that the server does not use TLS', async () => {
    const { checks } = await doctor({ MODELWIRE_BASE_URL: `${server.url.replace('http', 'https')}/v1` });
    expect(checks['server']).toContain(`The server does not use TLS. Try ${server.url}/v1`);
  });

  test('finds a server that is not OpenAI-compatible', async () => {
    const http = createServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const host = await listenForTest(http);
    const { checks } = await doctor({ MODELWIRE_BASE_URL: `http://${host}/v1` });
    expect(checks['server']).toContain('is not the base URL of an OpenAI-compatible API');
  });

  test('finds a key that the server rejects, and its source', async () => {
    const { checks } = await doctor({ MODELWIRE_API_KEY: 'another-key-0000' });
    expect(checks['API key']).toMatch(
      /^error: The server rejects the key \(MODELWIRE_API_KEY\).*unset MODELWIRE_API_KEY/,
    );
  });

  test.each([
    ['"sk-quoted"', 'Remove the quotes'],
    ['Bearer', 'Remove "Bearer"'],
    ['a b', 'Copy only the key itself'],
    ['sk-ünicode', 'not allowed in headers'],
  ])('finds the problem of the key %s', async (key, fix) => {
    expect((await doctor({ MODELWIRE_API_KEY: key })).checks['API key']).toContain(fix);
  });

  test('finds that a required key is missing', async () => {
    const { checks } = await doctor({ MODELWIRE_API_KEY: '' });
    expect(checks['API key']).toContain('The server requires an API key, but none is set.');
  });

  test('finds a model that is not listed, with a suggestion', async () => {
    const { code, checks } = await doctor({}, ['--model', 'simulatr']);
    expect([code, checks['model']]).toEqual([EXIT.unsuccessful, expect.stringContaining('Did you mean simulator?')]);
  });

  test('finds a configuration that other users can read', async () => {
    const cwd = folder();
    await runCommand(['config', 'set', 'model', 'simulator'], { cwd });
    chmodSync(join(cwd, '.config/modelwire/config.json'), 0o644);
    expect((await doctor({}, ['--no-chat'], { cwd })).checks['configuration']).toMatch(/^warning: .*chmod 600/);
  });

  test('exits with 130 on Ctrl-C', async () => {
    const { env, requested } = await fakeService('', 'hangs');
    const terminal = fakeTerminal({ env });
    const ended = run(['doctor'], terminal);
    await requested;
    terminal.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
  });

  test('finds a profile that does not exist', async () => {
    const { code, checks } = await doctor({}, ['--profile', 'work']);
    expect([code, checks['profile']]).toEqual([
      EXIT.unsuccessful,
      expect.stringContaining('modelwire profiles create work'),
    ]);
  });
});
