import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { readSettings } from '../config/settings.ts';
import { workerCount } from './worker-count.ts';

const settingsOf = (env: Readonly<Record<string, string>>, workers?: string) =>
  readSettings(import.meta.dirname, env, { workers });

test('a server is one process by default; the flag overrides the environment', async () => {
  expect(workerCount(await settingsOf({}))).toBe(1);
  expect(workerCount(await settingsOf({ MODELWIRE_WORKERS: '3' }))).toBe(3);
  expect(workerCount(await settingsOf({ MODELWIRE_WORKERS: '3' }, '2'))).toBe(2);
});

test('auto is one worker for each core, or a single process with GGUF models', async () => {
  expect(workerCount(await settingsOf({ MODELWIRE_WORKERS: 'auto' }))).toBe(availableParallelism());
  expect(workerCount(await settingsOf({ MODELWIRE_WORKERS: 'auto', MODELWIRE_GGUF: 'model.gguf' }))).toBe(1);
});

test('several workers are refused with GGUF models, with the reason', async () => {
  const settings = await settingsOf({ MODELWIRE_WORKERS: '2', MODELWIRE_GGUF: 'model.gguf' });
  expect(() => workerCount(settings)).toThrow(ConfigError);
  expect(() => workerCount(settings)).toThrow('each worker would load them');
});

test.each(['0', '65', '1.5', 'many'])('%s is not a number of workers', async (value) => {
  await expect(settingsOf({ MODELWIRE_WORKERS: value })).rejects.toThrow(
    `MODELWIRE_WORKERS (--workers): expected a number from 1 to 64, or auto, not '${value}'`,
  );
});
