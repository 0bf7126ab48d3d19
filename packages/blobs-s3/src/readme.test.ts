import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { openS3Blobs } from './index.ts';
import { startS3rver } from './testing/servers.ts';

test('the example of the README writes bytes and reads a range', async () => {
  const { options, stop } = await startS3rver();
  onTestFinished(stop);
  const env = { S3_KEY_ID: options.accessKeyId, S3_SECRET: options.secretAccessKey, S3_ENDPOINT: options.endpoint };
  const values = { openS3Blobs, process: { env }, Blob, TextDecoder };
  expect(await evaluateExample(await readmeExample(import.meta.url), values)).toEqual([[11], ['world']]);
});
