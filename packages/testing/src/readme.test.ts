import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { parseReplies } from './replies-file.ts';
import { faultSchema } from './faults/schema.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

test('the example of the README prints the documented output', async () => {
  const { stdout } = await runReadmeExample(import.meta.url);
  expect(stdout).toBe('It rains in Paris. [ 429, 200 ]\n');
  expect(readme).toContain(stdout.trim());
});

test('the file of replies in the README is valid', () => {
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
  expect(parseReplies(yaml)).toMatchObject({ replies: [{}, {}, {}], faults: [{ fault: 'rate-limit' }] });
});

test('the README lists every fault', () => {
  const named = [...readme.matchAll(/^\| `([a-z0-9-]+)` +\|/gm)].map(([, name = '']) => name);
  const needs = { latency: { ms: 1 }, 'token-pace': { ms: 1 }, 'slow-body': { bytesPerSecond: 1 } };
  const faults = named.filter((fault) => {
    const requiredOptions = fault in needs ? needs[fault as keyof typeof needs] : {};
    return faultSchema.safeParse({ fault, ...requiredOptions }).success;
  });
  expect(faults).toEqual(faultSchema.out.options.map(({ shape }) => shape.fault.value));
});
