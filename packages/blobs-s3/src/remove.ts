import { isRefusal } from './client.ts';
import type { S3Client } from './client.ts';
import { failureOf } from './failure.ts';

const removedAtOnce = 8;

/** Sends one request per key: not every server supports bulk deletion. */
export async function removeBlobs(client: S3Client, keys: readonly string[]): Promise<void> {
  const left = new Set(keys).values();
  const removeNext = async () => {
    for (const key of left) {
      const doing = `bytes under '${key}' cannot be removed`;
      const answer = await client.ask({ doing, method: 'DELETE', key });
      if (!isRefusal(answer)) continue;
      // Servers differ in the response for a missing key, and some return 404 for a missing bucket or user too.
      const absent = answer.status === 404 && (answer.code === 'NoSuchKey' || answer.code === 'HTTP404');
      if (!absent) throw failureOf(doing, answer);
    }
  };
  await Promise.all(Array.from({ length: removedAtOnce }, removeNext));
}
