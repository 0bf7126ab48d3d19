import { inspect } from 'node:util';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { faultyStore } from './testing/faulty-proxy.ts';
import type { Fault } from './testing/faulty-proxy.ts';

const accessKeyId = 'AKIA-for-nobody';
const secretAccessKey = 'secret-for-nobody';

test('reports a wrong secret as rejected credentials', async () => {
  const { options } = await faultyStore(() => undefined);
  const blobs = await openS3Blobs({ ...options, secretAccessKey });
  const failure = { name: 'S3BlobsError', code: 'SignatureDoesNotMatch', status: 403 };
  await expect(blobs.check()).rejects.toMatchObject(failure);
  await expect(blobs.check()).rejects.toThrow('the secret access key is wrong');
  await blobs.close();
});

test('no error contains credentials, whatever the server responds', async () => {
  const bodyWithCredentials = [
    `<Error><Code>SignatureDoesNotMatch</Code><Message>${secretAccessKey}</Message>`,
    `<AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId></Error>`,
  ].join('');
  const faults: Fault[] = [
    { type: 'answer', status: 403, body: bodyWithCredentials },
    { type: 'answer', status: 400, body: `<Error><Code>${secretAccessKey}</Code></Error>` },
    { type: 'answer', status: 500, body: bodyWithCredentials },
    { type: 'answer', status: 307, body: bodyWithCredentials },
    { type: 'drop' },
  ];
  for (const fault of faults) {
    const { options } = await faultyStore(() => fault);
    const sessionToken = 'token-for-nobody';
    const blobs = await openS3Blobs({ ...options, accessKeyId, secretAccessKey, sessionToken, attempts: 1 });
    const key = blobKey();
    const failures = await Promise.all(
      [
        blobs.write(key, generated(10)),
        blobs.write(key, generated(9_000_000)),
        collected(blobs.read(key)),
        collected(blobs.read(key, { start: 0, end: 0 })),
        blobs.remove([key]),
        blobs.check(),
      ].map((work) => Promise.resolve<unknown>(work).catch((error: unknown) => error)),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({ name: 'S3BlobsError' });
      expect(inspect(failure, { depth: 20, showHidden: true })).not.toMatch(/for-nobody/);
    }
    await blobs.close();
  }
});
