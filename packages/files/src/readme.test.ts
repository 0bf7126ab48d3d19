import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { json, record } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { expect, test } from 'vitest';

const answer: Respond = (response, { method, path, files, headers }) => {
  if (method === 'POST') json(response, { id: 'file-1', filename: files['file']?.filename });
  else if (method === 'DELETE') json(response, { id: 'file-1', object: 'file', deleted: true });
  else {
    expect([path, headers.range]).toEqual(['/files/file-1/content', 'bytes=0-5']);
    response.writeHead(206, { 'content-range': 'bytes 0-5/22' });
    response.end('Rivers');
  }
};

test('the example of the README runs and prints the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await record(answer);
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/files'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('notes.txt Rivers\n');
});
