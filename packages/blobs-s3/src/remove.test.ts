import { blobKey } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { answerOf, faultyStore } from './testing/faulty-proxy.ts';

const opened = async (status: number, code?: string) => {
  const answer = code === undefined ? ({ type: 'answer', status } as const) : answerOf(status, code);
  const { options, received } = await faultyStore(({ method }) => (method === 'DELETE' ? answer : undefined));
  return { blobs: await openS3Blobs({ ...options, attempts: 2 }), received };
};

test('removing a missing key succeeds, whatever the server responds', async () => {
  for (const [status, code] of [[404], [404, 'NoSuchKey'], [204]] as const) {
    const { blobs, received } = await opened(status, code);
    await expect(blobs.remove([blobKey()])).resolves.toBeUndefined();
    expect(received.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await blobs.close();
  }
});

test('a failed removal is an error, even with status 404', async () => {
  const refusals = [
    [404, 'NoSuchBucket'],
    [404, 'NoSuchUser'],
    [403, 'AccessDenied'],
    [503, 'SlowDown'],
  ] as const;
  for (const [status, code] of refusals) {
    const { blobs } = await opened(status, code);
    await expect(blobs.remove([blobKey()])).rejects.toMatchObject({ name: 'S3BlobsError', status, code });
    await blobs.close();
  }
});

test('removes each key once, however often it is listed', async () => {
  const { blobs, received } = await opened(204);
  const keys = Array.from({ length: 40 }, blobKey);
  await blobs.remove([...keys, ...keys]);
  const deletedKeys = received.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
  expect(deletedKeys.toSorted()).toEqual(keys.toSorted());
  await blobs.close();
});
