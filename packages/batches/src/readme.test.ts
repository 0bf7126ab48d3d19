import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { json, record } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { expect, test } from 'vitest';

let input = '';
const answer: Respond = (response, { method, path, files }) => {
  if (path === '/files') {
    input = files['file']?.bytes.toString() ?? '';
    json(response, { id: 'file-in', object: 'file' });
    return;
  }
  const batch = {
    id: 'batch_1',
    object: 'batch',
    status: 'validating',
    request_counts: { total: 2, completed: 0, failed: 0 },
  };
  const request_counts = { total: 2, completed: 2, failed: 0 };
  if (method === 'POST') {
    json(response, batch);
    return;
  }
  if (path === '/batches/batch_1') {
    json(response, { ...batch, status: 'completed', request_counts, output_file_id: 'file-out' });
    return;
  }
  const lines = input
    .trim()
    .split('\n')
    .map((line) => {
      const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: { messages: { content: string }[] } };
      const content = `You said: ${body.messages[0]?.content}`;
      const completion = { choices: [{ index: 0, message: { role: 'assistant', content } }] };
      return JSON.stringify({
        id: 'r',
        custom_id,
        response: { status_code: 200, request_id: 'q', body: completion },
        error: null,
      });
    });
  response.end(lines.join('\n'));
};

test('the example of the README runs and prints the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await record(answer);
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/batches'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('validating 0\ncompleted 2\none You said: Hello\ntwo You said: Goodbye\n');
});
