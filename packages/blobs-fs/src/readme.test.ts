import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { openFsBlobs as openBlobs } from './index.ts';
import type { FsBlobsOptions } from './index.ts';

test('the example of the README writes bytes and reads a range', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const openFsBlobs = (options: FsBlobsOptions) => openBlobs({ ...options, path: join(folder, options.path) });
  expect(await evaluateExample(await readmeExample(import.meta.url), { openFsBlobs, Blob })).toEqual([[11], ['world']]);
  const kept = (await readdir(join(folder, 'data/blobs'), { recursive: true })).filter((name) =>
    name.includes('blob_'),
  );
  expect(kept).toHaveLength(0);
});
