import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { readmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { tinyFile } from './testing/serve-tiny.ts';

test('the example of the README prints a completion', async () => {
  const example = await readmeExample(import.meta.url);
  const { path, remove } = await tinyFile();
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/engine-llama'", JSON.stringify(entry))
    .replace("'model.gguf'", JSON.stringify(path));
  expect(script).toContain(entry);
  expect(script).toContain(path);
  // A file, not --eval: node-llama-cpp tests its binary in a child process, which would inherit the flags.
  const file = fileURLToPath(new URL(`../node_modules/.readme-example-${process.pid}.mjs`, import.meta.url));
  onTestFinished(async () => {
    await rm(file);
    await remove();
  });
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toMatch(/object: 'chat\.completion'/);
  // At temperature 1 a reply may end before the limit.
  const [, finish] = /finish_reason: '(\w+)'/.exec(stdout) ?? [];
  const tokens = Number(/completion_tokens: (\d+),/.exec(stdout)?.[1]);
  expect(finish).toMatch(/^(stop|length)$/);
  if (finish === 'length') expect(tokens).toBe(16);
  else expect(tokens).toBeGreaterThanOrEqual(0);
  expect(tokens).toBeLessThanOrEqual(16);
});
