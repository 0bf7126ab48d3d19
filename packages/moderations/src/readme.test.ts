import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { json, record } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { expect, test } from 'vitest';

const answer: Respond = (response, { json: body }) => {
  const { input } = body as { input: string | string[] };
  const results = [input].flat().map((text) => ({ flagged: text.includes('hate') }));
  json(response, { id: 'modr-1', model: 'omni-moderation-latest', results });
};

test('the example of the README runs and prints the documented output', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await record(answer);
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/moderations'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('true\nWe love rivers. false\nWe hate you. true\n');
});
