import { expect, onTestFinished, test } from 'vitest';
import { logUnusableBucket, openBlobs } from './blobs.ts';

test('a bucket that cannot be reached is logged with its endpoint and the cause', async () => {
  const s3 = { bucket: 'files', endpoint: 'http://127.0.0.1:1', region: 'us-east-1' };
  const s3Credentials = { accessKeyId: 'an-id', secretAccessKey: 'a-secret' };
  const blobs = await openBlobs({ data: '.', s3, s3Credentials });
  onTestFinished(() => blobs.close());
  const logged: unknown[] = [];
  await logUnusableBucket({ s3 }, blobs, { warn: (fields: unknown) => void logged.push(fields) });
  const outage = { dependency: 's3', cause: 'connection refused (ECONNREFUSED)' };
  expect(logged).toEqual([{ ...s3, error: 'S3BlobsError', code: 'ECONNREFUSED', outage }]);
});
