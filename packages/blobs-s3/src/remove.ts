import { isFailure } from './client.ts';
import type { S3Client } from './client.ts';
import { toError } from './failure.ts';

const concurrency = 8;

/** Sends one request per key: not every server supports bulk deletion. */
export async function removeBlobs(client: S3Client, keys: readonly string[]): Promise<void> {
  const remaining = new Set(keys).values();
  const removeNext = async () => {
    for (const key of remaining) {
      const failureMessage = `bytes under '${key}' cannot be removed`;
      const response = await client.send({ failureMessage, method: 'DELETE', key });
      if (!isFailure(response)) continue;
      // Servers differ in the response for a missing key, and some return 404 for a missing bucket or user too.
      const isMissing = response.status === 404 && (response.code === 'NoSuchKey' || response.code === 'HTTP404');
      if (!isMissing) throw toError(failureMessage, response);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, removeNext));
}
