import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';

test('The example of the README runs and prints the documented output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const replace = { "'morning.wav'": JSON.stringify(join(folder, 'morning.wav')) };
  const { stdout } = await runReadmeExample(import.meta.url, { replace });
  expect(stdout).toBe('true RIFF\n');
});
