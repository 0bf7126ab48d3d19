import { expect, test } from 'vitest';
import { closeAll } from './close-all.ts';
import { createServer } from './server.ts';
import { says, scriptedEngine } from './testing/scripted-engine.ts';

test('closes all engines if one fails to close, and then throws its error', async () => {
  const closed: string[] = [];
  const engineOf = (id: string, close: () => Promise<void>) => ({ ...scriptedEngine(() => says('Hi'), { id }), close });
  const failure = new Error('stuck');
  const engines = [
    engineOf('a', () => Promise.reject(failure)),
    engineOf('b', async () => void closed.push('b')),
    engineOf('c', () => {
      throw failure;
    }),
    engineOf('d', async () => {
      await new Promise(setImmediate);
      closed.push('d');
    }),
  ];
  const server = createServer({ engines, keys: 'open' });
  const close = server.close(10);
  await expect(close).rejects.toThrow('the server was not closed cleanly');
  expect(closed).toEqual(['b', 'd']);
});

test('closeAll runs all steps in order, even if one fails, and throws all errors', async () => {
  const closed: string[] = [];
  const failure = new Error('stuck');
  const closing = closeAll('not closed', [
    () => Promise.reject(failure),
    async () => void closed.push('http'),
    async () => void closed.push('blobs'),
    () => {
      throw failure;
    },
    async () => void closed.push('stores'),
  ]);
  await expect(closing).rejects.toMatchObject({ errors: [failure, failure], message: 'not closed' });
  expect(closed).toEqual(['http', 'blobs', 'stores']);
});
