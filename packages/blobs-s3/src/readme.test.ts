import { readFile } from 'node:fs/promises';
import { compileFunction } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openS3Blobs } from './index.ts';
import { startS3rver } from './testing/servers.ts';

/** The example as a function of what it imports and uses. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README writes bytes and reads some of them', async () => {
  const { options, stop } = await startS3rver();
  onTestFinished(stop);
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  const run = compileFunction(`return (async () => {${example}})()`, [
    'openS3Blobs',
    'console',
    'process',
    'Blob',
    'TextDecoder',
  ]) as Run;
  const env = { S3_KEY_ID: options.accessKeyId, S3_SECRET: options.secretAccessKey, S3_ENDPOINT: options.endpoint };
  await run(openS3Blobs, { log: (...values: unknown[]) => logged.push(values) }, { env }, Blob, TextDecoder);
  expect(logged).toEqual([[11], ['world']]);
});
