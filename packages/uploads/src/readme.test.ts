import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { json, record } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { expect, test } from 'vitest';

const answer: Respond = (response, { path, json: body }, count) => {
  const file = path.endsWith('/complete') ? { id: 'file-1', body } : null;
  const upload = { id: 'upload_1', object: 'upload', status: 'pending', expires_at: 1, file };
  json(response, path.endsWith('/parts') ? { id: `part_${count}`, object: 'upload.part' } : upload);
};

test('the example of the README runs and prints the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await record(answer);
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/uploads'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('0 %\n100 %\nfile-1\n');
});
