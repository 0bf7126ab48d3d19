import { expect, onTestFinished, test, vi } from 'vitest';
import { apiKey, startTestServer } from '../test/test-server.ts';
import type { TestServer } from '../test/test-server.ts';
import { program } from '../test/migration.ts';

async function serve(): Promise<TestServer> {
  const opened = await startTestServer();
  onTestFinished(() => opened.close());
  return opened;
}

/** The same program, with the official package in place of this one. */
async function officialProgram(): Promise<typeof program> {
  vi.resetModules();
  vi.doMock('@modelwire/client', () => import('openai'));
  onTestFinished(() => {
    vi.doUnmock('@modelwire/client');
  });
  const official = await import('../test/migration.ts');
  expect(official.program).not.toBe(program);
  return official.program;
}

test('a program for the official package returns the same results at every endpoint when only its import is changed', async () => {
  const official = await officialProgram();
  const [first, second] = [await serve(), await serve()];
  const seen = await program({ baseURL: second.baseURL, apiKey });
  expect(seen).toEqual(await official({ baseURL: first.baseURL, apiKey }));
  expect(seen.length).toBeGreaterThan(25);
});
