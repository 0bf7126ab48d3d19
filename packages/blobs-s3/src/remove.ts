import { isRefusal } from './client.ts';
import type { S3Client } from './client.ts';
import { failureOf } from './failure.ts';

const removedAtOnce = 8;

/** One request each: not every store takes a list of them, and none is slow at it. */
export async function removeBlobs(client: S3Client, keys: readonly string[]): Promise<void> {
  const left = new Set(keys).values();
  const removeNext = async () => {
    for (const key of left) {
      const doing = `bytes under '${key}' cannot be removed`;
      const answer = await client.ask({ doing, method: 'DELETE', key });
      if (!isRefusal(answer)) continue;
      // Stores differ in what they say of what is not there; some say 404 also of a bucket or a user.
      const absent = answer.status === 404 && (answer.code === 'NoSuchKey' || answer.code === 'HTTP404');
      if (!absent) throw failureOf(doing, answer);
    }
  };
  await Promise.all(Array.from({ length: removedAtOnce }, removeNext));
}
