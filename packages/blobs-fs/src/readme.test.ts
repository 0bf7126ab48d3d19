import { readFile, readdir, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openFsBlobs } from './index.ts';
import type { FsBlobsOptions } from './index.ts';

/** The example as a function of what it imports and uses. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README writes bytes and reads some of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  const run = compileFunction(`return (async () => {${example}})()`, ['openFsBlobs', 'console', 'Blob']) as Run;
  const openHere = (options: FsBlobsOptions) => openFsBlobs({ ...options, path: join(folder, options.path) });
  await run(openHere, { log: (...values: unknown[]) => logged.push(values) }, Blob);
  expect(logged).toEqual([[11], ['world']]);
  const kept = (await readdir(join(folder, 'data/blobs'), { recursive: true })).filter((name) =>
    name.includes('blob_'),
  );
  expect(kept).toHaveLength(0);
});
