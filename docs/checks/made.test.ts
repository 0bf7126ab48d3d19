import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { made } from './made.ts';

test.each(await made())('$path is what its sources say; npm run docs writes it', ({ path, text }) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text);
});

test('Each field of the configuration says what it is, or has a type that says it', async () => {
  const page = (await made()).find(({ path }) => path === 'configuration.md')?.text ?? '';
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((row) => /\[object|undefined/.test(row))).toEqual([]);
});
