import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, startTestServer } from '../test/test-server.ts';
import type { TestServer } from '../test/test-server.ts';
import { program as ours } from '../test/migration.ts';
import { program as official } from '../test/migration-official.ts';

const textOf = (name: string): Promise<string> => readFile(new URL(`../test/${name}`, import.meta.url), 'utf8');

async function serve(): Promise<TestServer> {
  const opened = await startTestServer();
  onTestFinished(() => opened.close());
  return opened;
}

test('a program for the official package needs only another import', async () => {
  const [before, after] = await Promise.all([textOf('migration-official.ts'), textOf('migration.ts')]);
  expect(after).toBe(before.replace("import OpenAI from 'openai'", "import OpenAI from '@modelwire/client'"));
  expect(after).not.toBe(before);
});

test('and has the same results at every endpoint', async () => {
  const [first, second] = [await serve(), await serve()];
  const seen = await ours({ baseURL: second.baseURL, apiKey });
  expect(seen).toEqual(await official({ baseURL: first.baseURL, apiKey }));
  expect(seen.length).toBeGreaterThan(25);
});
