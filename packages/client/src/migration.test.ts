import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, openKit } from '../test/kit.ts';
import type { Kit } from '../test/kit.ts';
import { program as ours } from '../test/migration.ts';
import { program as official } from '../test/migration-official.ts';

const textOf = (name: string): Promise<string> => readFile(new URL(`../test/${name}`, import.meta.url), 'utf8');

async function kit(): Promise<Kit> {
  const opened = await openKit();
  onTestFinished(() => opened.close());
  return opened;
}

test('a program for the official package needs only another import', async () => {
  const [before, after] = await Promise.all([textOf('migration-official.ts'), textOf('migration.ts')]);
  expect(after).toBe(before.replace("import OpenAI from 'openai'", "import OpenAI from '@modelwire/client'"));
  expect(after).not.toBe(before);
});

test('and has the same results at every endpoint', async () => {
  const [first, second] = [await kit(), await kit()];
  const seen = await ours({ baseURL: second.baseURL, apiKey });
  expect(seen).toEqual(await official({ baseURL: first.baseURL, apiKey }));
  expect(seen.length).toBeGreaterThan(25);
});
