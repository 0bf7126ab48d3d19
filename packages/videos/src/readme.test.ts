import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { json, record } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { expect, test } from 'vitest';

const answer: Respond = (response, { method, path }, count) => {
  const [status, progress] = count > 2 ? ['completed', 100] : ['in_progress', 40];
  if (method === 'POST') json(response, { id: 'video_1', status: 'queued', progress: 0 });
  else if (path === '/videos/video_1') json(response, { id: 'video_1', status, progress });
  else {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    response.end(Buffer.alloc(1000));
  }
};

test('the example of the README runs and prints the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await record(answer);
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/videos'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('40 %\n100 %\nvideo/mp4 1000\n');
});
