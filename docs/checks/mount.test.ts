import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChat } from '@modelwire/chat';
import { freePort } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { fileBlock } from './code-blocks.ts';
import { programFolder, runBeside } from './programs.ts';

const page = 'guides/mount-in-your-app.md';

test.each(['Hono', 'Express', 'Fastify'])(
  'In an app of %s, its own routes and a streamed chat are served',
  async (name) => {
    const file = `${name.toLowerCase()}.ts`;
    const folder = programFolder();
    const app = fileBlock(page, file).code;
    expect(app).toContain('3000');
    writeFileSync(join(folder, 'modelwire.ts'), fileBlock(page, 'modelwire.ts').code);
    let url = '';
    let said = 'EADDRINUSE';
    // A port that was free may be taken by another test before the app listens.
    for (let tries = 0; said.includes('EADDRINUSE') && tries < 5; tries++) {
      url = `http://127.0.0.1:${await freePort()}`;
      writeFileSync(join(folder, file), app.replace('3000', new URL(url).port));
      const running = runBeside(folder, file);
      const hello = async (): Promise<string> =>
        running.said().includes('EADDRINUSE') ? 'EADDRINUSE' : (await fetch(`${url}/hello`)).text();
      const answer = async (): Promise<string> => (said = await hello().catch(running.said));
      await expect.poll(answer).toMatch(new RegExp(`^Hello from ${name}$|EADDRINUSE`));
    }
    expect(said).toBe(`Hello from ${name}`);

    const chat = createChat({ baseURL: `${url}/v1`, apiKey: 'a-key-of-your-own' });
    const stream = chat.completions.stream({ model: 'simulator', messages: [{ role: 'user', content: 'Hello' }] });
    let pieces = 0;
    for await (const text of stream.text()) pieces += text === '' ? 0 : 1;
    expect(stream.state).toBe('finished');
    expect(pieces).toBeGreaterThan(1);

    const refused = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    const form = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer a-key-of-your-own', 'content-type': 'application/json' },
      body: '{"model":"nobody","messages":[{"role":"user","content":"x"}]}',
    });
    expect(await form.json()).toMatchObject({ error: { code: 'model_not_found' } });
  },
);

test.each([
  ['Express', 'sub-path.ts'],
  ['Hono', 'hono-sub-path.ts'],
  ['Fastify', 'fastify-sub-path.ts'],
])('An app of %s serves the API and the console below a path, with and without a trailing slash', async (_, file) => {
  const folder = programFolder();
  // The package has no files before it is built.
  mkdirSync(join(folder, 'console'));
  writeFileSync(join(folder, 'console', 'index.html'), '<html><head></head></html>');
  const server = fileBlock(page, 'modelwire-console.ts').code.replace(
    "import { consoleDirectory } from '@modelwire/console';",
    "const consoleDirectory = new URL('console/', import.meta.url);",
  );
  writeFileSync(join(folder, 'modelwire-console.ts'), server);
  const app = fileBlock(page, file).code;
  expect(app).toContain('3000');
  let url = '';
  let said = 'EADDRINUSE';
  for (let tries = 0; said.includes('EADDRINUSE') && tries < 5; tries++) {
    url = `http://127.0.0.1:${await freePort()}/ai`;
    writeFileSync(join(folder, file), app.replace('3000', new URL(url).port));
    const running = runBeside(folder, file);
    const status = async (): Promise<string> => String((await fetch(`${url}/v1/models`)).status);
    await expect.poll(async () => (said = await status().catch(running.said))).toMatch(/^401$|EADDRINUSE/);
  }
  expect(said).toBe('401');
  const asBrowser = { headers: { accept: 'text/html' } };
  for (const path of ['', '/', '/console', '/console/', '/?a=b']) {
    const opened = await fetch(url + path, asBrowser);
    expect([opened.status, opened.url], path).toEqual([200, `${url}/console/`]);
  }
  expect(await (await fetch(`${url}/console/keys`, asBrowser)).text()).toContain('<base href="./">');
  const signIn = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `${url}/console/` },
    body: JSON.stringify({ key: 'a-key-of-your-own' }),
  });
  expect(signIn.headers.get('set-cookie')).toContain('Path=/ai;');
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(200);
});
