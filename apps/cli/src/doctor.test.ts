import { chmodSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';
import { fakeService } from './testing/fake-service.ts';
import { fakeTerminal, folder, lines, ran } from './testing/fake-terminal.ts';
import type { FakeOptions } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

interface Diagnosis {
  readonly code: number;
  /** By name: the verdict, what was found, and how to mend it. */
  readonly checks: Readonly<Record<string, string>>;
}

async function doctor(
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  options: FakeOptions = {},
): Promise<Diagnosis> {
  const { code, out } = await ran(['doctor', '--json', ...words], { ...options, env: { ...server.env, ...env } });
  const found = lines(out) as { name: string; verdict: string; found: string; mend?: string }[];
  return {
    code,
    checks: Object.fromEntries(
      found.map(({ name, verdict, found, mend }) => [name, `${verdict}: ${found} → ${mend ?? ''}`]),
    ),
  };
}

describe('doctor', () => {
  test('finds nothing wrong where all is well, and says how fast the model is', async () => {
    const { code, checks } = await doctor({});
    expect(code).toBe(EXIT.ok);
    expect(Object.values(checks).filter((check) => !check.startsWith('fine'))).toEqual([]);
    expect(checks['chat']).toContain('first token after');
  });

  test('stands in words before a person, and never shows the key', async () => {
    const { out } = await ran(['doctor'], { env: server.env });
    expect(out).toContain('✓ server');
    expect(out).not.toContain(server.env['MODELWIRE_API_KEY']);
    expect(out).toContain('…7890 (MODELWIRE_API_KEY)');
  });

  test('finds an address without its version prefix, and the right one', async () => {
    // A server that, unlike ours, has its endpoints below the prefix alone.
    const prefixed = createServer((request, response) => {
      if (request.url?.startsWith('/v1/') !== true) return void response.writeHead(404).end('<h1>Not Found</h1>');
      const forwarded = get(new URL(request.url, server.url), { headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
    });
    await new Promise<void>((resolve) => prefixed.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      prefixed.closeAllConnections();
      prefixed.close();
    });
    const url = `http://127.0.0.1:${(prefixed.address() as AddressInfo).port}`;
    const { code, checks } = await doctor({ MODELWIRE_BASE_URL: url });
    expect(code).toBe(EXIT.bad);
    expect(checks['server']).toContain(`modelwire config set base-url ${url}/v1`);
  });

  test('finds nothing wrong with an address without its version prefix where the server has its endpoints there too', async () => {
    expect((await doctor({ MODELWIRE_BASE_URL: server.url })).code).toBe(EXIT.ok);
  });

  test.each([
    ['127.0.0.1:8787', 'Perhaps http://127.0.0.1:8787/v1'],
    ['nonsense', 'Perhaps http://nonsense/v1'],
    ['ftp://models.example.com', 'ftp: is not spoken here'],
    ['https://me:secret@models.example.com/v1', 'Keep the key by itself'],
    ['http://127.0.0.1:8787/v1/chat/completions', 'Leave the end away: http://127.0.0.1:8787/v1'],
  ])('finds what is wrong with the address %s without asking anybody', async (url, mend) => {
    const { code, checks } = await doctor({ MODELWIRE_BASE_URL: url });
    expect(code).toBe(EXIT.bad);
    expect(checks['address']).toContain(mend);
    expect(checks['network']).toBeUndefined();
  });

  test('finds a port where nobody listens, and a name that nobody knows', async () => {
    expect((await doctor({ MODELWIRE_BASE_URL: 'http://127.0.0.1:9/v1' })).checks['network']).toContain(
      'nobody listens at port 9',
    );
    expect((await doctor({ MODELWIRE_BASE_URL: 'http://no.invalid/v1' })).checks['network']).toMatch(
      /^wrong: nobody knows the name no.invalid/,
    );
  });

  test('finds TLS where there is none', async () => {
    const { checks } = await doctor({ MODELWIRE_BASE_URL: `${server.url.replace('http', 'https')}/v1` });
    expect(checks['server']).toContain(`It speaks no TLS: try ${server.url}/v1`);
  });

  test('finds something else that answers', async () => {
    const http = createServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const { port } = http.address() as AddressInfo;
    const { checks } = await doctor({ MODELWIRE_BASE_URL: `http://127.0.0.1:${port}/v1` });
    expect(checks['server']).toContain('it is no server of this interface');
  });

  test('finds a key that the server does not take, and where it comes from', async () => {
    const { checks } = await doctor({ MODELWIRE_API_KEY: 'another-key-0000' });
    expect(checks['key']).toMatch(/^wrong: the server does not take the key \(MODELWIRE_API_KEY\).*unset that/);
  });

  test.each([
    ['"sk-quoted"', 'Take the quotes away'],
    ['Bearer', 'Give the key alone'],
    ['a b', 'Copy it again'],
    ['sk-ünicode', 'no header can hold'],
  ])('finds what is wrong with the key %s', async (key, mend) => {
    expect((await doctor({ MODELWIRE_API_KEY: key })).checks['key']).toContain(mend);
  });

  test('finds that there is no key where one is wanted', async () => {
    const { checks } = await doctor({ MODELWIRE_API_KEY: '' });
    expect(checks['key']).toContain('the server wants a key, and there is none');
  });

  test('finds a model that is not there, and the one that was meant', async () => {
    const { code, checks } = await doctor({}, ['--model', 'simulatr']);
    expect([code, checks['model']]).toEqual([EXIT.bad, expect.stringContaining('Did you mean simulator?')]);
  });

  test('finds a file of keys that others may read', async () => {
    const cwd = folder();
    await ran(['config', 'set', 'model', 'simulator'], { cwd });
    chmodSync(join(cwd, '.config/modelwire/config.json'), 0o644);
    expect((await doctor({}, ['--no-chat'], { cwd })).checks['configuration']).toMatch(/^warning: .*chmod 600/);
  });

  test('ends with 130 at Ctrl-C', async () => {
    const { env, asked } = await fakeService('', 'hangs');
    const terminal = fakeTerminal({ env });
    const ended = run(['doctor'], terminal);
    await asked;
    terminal.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
  });

  test('finds a profile that is not there', async () => {
    const { code, checks } = await doctor({}, ['--profile', 'work']);
    expect([code, checks['profile']]).toEqual([EXIT.bad, expect.stringContaining('modelwire profile add work')]);
  });
});
