import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Modelwire } from '@modelwire/client';
import { start } from '@modelwire/server-app';
import type { RunningServer } from '@modelwire/server-app';
import { fileFromPath } from '@modelwire/uploads/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

const apiKey = 'test-key-1234567890';
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'modelwire-examples-'));
let server: RunningServer;
let baseURL: string;

beforeAll(async () => {
  server = await start({
    apiKeys: [apiKey],
    host: '127.0.0.1',
    port: 0,
    data: join(folder, 'data'),
    drainMs: 100,
    logLevel: 'silent',
    configPath: undefined,
  });
  baseURL = `${server.url}/v1`;
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example as a user does. Returns its output. */
async function output(name: string, ...given: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`${name}/main.ts`, ...given], {
    cwd: root,
    env: { ...process.env, MODELWIRE_API_KEY: apiKey, MODELWIRE_BASE_URL: baseURL },
  });
  return stdout;
}

test('streamed-chat prints an answer and what it took', async () => {
  expect(await output('streamed-chat', 'Why is the sky blue?')).toMatch(/^.+\n-- [1-9]\d* tokens, ended by stop\n$/s);
});

test('tools runs what the model calls until it answers', async () => {
  const printed = await output('tools');
  expect(printed).toMatch(/^calls get_weather \{ city: 'Paris' \}$/m);
  expect(printed).toMatch(/^calls get_time \{ city: 'Tokyo' \}$/m);
  expect(printed).toMatch(/\n.+\n-- 2 requests\n$/);
});

test('structured-output reads a booking', async () => {
  expect(await output('structured-output')).toBe('Ann Lee stays 3 nights in Rome.\n');
});

test('batch has all lines of a file moderated, and prints the one that is flagged', async () => {
  const lines = (await readFile(join(root, 'batch/comments.txt'), 'utf8')).trim().split('\n').length;
  const printed = await output('batch');
  expect(printed).toMatch(/^line 4 is flagged: .*self-harm/);
  expect(printed.split('\n').slice(1)).toEqual([`-- ${lines} of ${lines} lines answered`, '']);
});

test('resumable-upload resumes and leaves no state behind', async () => {
  const path = join(folder, 'large.bin');
  await writeFile(path, Buffer.alloc(5_000_000, 'modelwire'));
  // Stopped after its first part.
  const stop = new AbortController();
  const run = new Modelwire({ apiKey, baseURL }).uploads.uploadFile({
    ...(await fileFromPath(path)),
    purpose: 'user_data',
    partSize: 1024 ** 2,
    concurrency: 1,
    signal: stop.signal,
    onProgress: ({ parts }) => parts === 1 && stop.abort(),
  });
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  const state = run.state();
  await writeFile(`${path}.upload.json`, JSON.stringify(state));

  const printed = await output('resumable-upload', path);
  expect(printed).toContain(`goes on with ${state?.upload_id ?? 'none'}\n1 of 5 parts\n`);
  expect(printed).toMatch(/5 of 5 parts\n-- large\.bin, 5000000 bytes, is file-\S+\n$/);
  expect(readdirSync(folder)).not.toContain('large.bin.upload.json');
  expect(await output('resumable-upload', path)).toMatch(/^0 of 5 parts\n/);
});

// Rendering takes seconds, and much longer under load.
test('video-remix saves two videos and their thumbnails', { timeout: 300_000 }, async () => {
  const into = join(folder, 'videos');
  const printed = await output('video-remix', into);
  expect(printed).toMatch(/^saved boat\.mp4, 4 s of \S+\nsaved remix\.mp4, 4 s of \S+\n-- .*: true\n$/);
  expect(readdirSync(into).sort()).toEqual(['boat.mp4', 'boat.webp', 'remix.mp4', 'remix.webp']);
  expect((await stat(join(into, 'remix.mp4'))).size).toBeGreaterThan(1000);
});

test('moderated-chat answers what is fine, and asks nothing that is not', async () => {
  expect(await output('moderated-chat')).toMatch(
    /^> Tell me about rivers\.\n.+\n> I will kill myself\.\n-- not asked: \S+\n$/s,
  );
});

test('own-engine serves an engine of its own, and refuses by name what that cannot do', async () => {
  expect(await output('own-engine')).toMatch(
    /^serves the API on a free port\nrivers run to sea the \n-- .*logprobs.*\n$/,
  );
});

test('Every example has its test, and a sentence on top', async () => {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:node_modules|src|\.)/.test(entry.name))
    .map(({ name }) => name);
  const own = await readFile(import.meta.filename, 'utf8');
  expect(names).toHaveLength(8);
  for (const name of names) {
    expect(own).toContain(`output('${name}'`);
    expect(await readFile(join(root, name, 'main.ts'), 'utf8')).toMatch(/^\/\/ [A-Z].+\.\n/);
  }
});
