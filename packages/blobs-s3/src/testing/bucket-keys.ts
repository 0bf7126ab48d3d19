import { s3Client } from '../client.ts';
import { settingsOf } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { allOf, textOf } from '../xml.ts';

/** The keys of all objects in a bucket, for tests. @throws when one response cannot list them. */
export async function bucketKeys(options: S3BlobsOptions): Promise<string[]> {
  const client = s3Client(settingsOf(options));
  try {
    const { body } = await client.must({ doing: 'list', method: 'GET', query: { 'list-type': '2' } });
    if (textOf(body, 'IsTruncated') === 'true') throw new Error('too many objects for one response');
    return allOf(body, 'Key');
  } finally {
    client.close();
  }
}
