import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { banner } from './banner.ts';
import type { Config } from '../config/schema.ts';
import { start } from './start.ts';
import { startTestServer } from '../testing/test-server.ts';
import { testSettings } from '../testing/test-settings.ts';

const usagePath = '/v1/organization/usage/completions?start_time=0';

async function startOnNewFolder(config: Config = {}) {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-console-'));
  const running = await start({
    ...config,
    ...testSettings,
    data,
  });
  onTestFinished(async () => {
    await running.stop();
    rmSync(data, { recursive: true });
  });
  return { running, data };
}

/** Signs in and returns the cookie. */
async function signIn(url: string, body: object): Promise<string> {
  const response = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? `status ${response.status}`;
}

test('the first printed line is the URL of the console, with a code that signs in an administrator', async () => {
  const { running, data } = await startOnNewFolder();
  const printed = banner(running, data);
  const [first] = printed.trim().split('\n');
  expect(first).toMatch(new RegExp(`^Console: ${running.url}/console/#code=[\\w-]{43}$`));
  const code = first?.split('#code=')[1] ?? '';
  const cookie = await signIn(running.url, { code });
  expect(await (await fetch(`${running.url}/console/api/session`, { headers: { cookie } })).json()).toMatchObject({
    role: 'admin',
    project: 'default',
    key_name: 'created at the first start',
  });
  // The code was used.
  expect(await signIn(running.url, { code })).toBe('status 401');
});

test('the key that is created at the first start can read usage', async () => {
  const { running } = await startOnNewFolder();
  const headers = { authorization: `Bearer ${running.keys.created ?? ''}` };
  expect((await fetch(running.url + usagePath, { headers })).status).toBe(200);
});

test('a session survives a restart of the server, and ends when its key is revoked', async () => {
  const server = await startTestServer();
  const key = await server.makeKey({ role: 'admin', name: 'Ada' });
  const cookie = await signIn(server.url, { key });
  const status = async (url: string) => (await fetch(url + usagePath, { headers: { cookie } })).status;
  expect(await status(server.url)).toBe(200);
  const restarted = await server.restart();
  onTestFinished(() => restarted.stop());
  expect(await status(restarted.url)).toBe(200);
  const [record] = await restarted.stores.keys.list();
  await restarted.stores.keys.revoke(record?.id ?? '', 1);
  expect(await status(restarted.url)).toBe(401);
});

test('a configured key signs in', async () => {
  const server = await startTestServer({ apiKeys: ['configured-key-12345'] });
  onTestFinished(() => server.stop());
  expect(await signIn(server.url, { key: 'configured-key-12345' })).toMatch(/^modelwire_session=/);
});

test('console: false turns it off', async () => {
  const { running, data } = await startOnNewFolder({ console: false });
  expect(running.consoleUrl).toBeUndefined();
  expect(banner(running, data)).not.toContain('Console');
  for (const path of ['/', '/console/', '/console/api/session'])
    expect((await fetch(running.url + path, { headers: { accept: 'text/html' } })).status).toBe(404);
});
