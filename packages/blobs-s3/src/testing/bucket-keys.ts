import { s3Client } from '../client.ts';
import { settingsOf } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { allOf, textOf } from '../xml.ts';

/** The keys of all bytes in a bucket, which only tests ask for. @throws when there are too many for one answer. */
export async function bucketKeys(options: S3BlobsOptions): Promise<string[]> {
  const client = s3Client(settingsOf(options));
  try {
    const { body } = await client.must({ doing: 'list', method: 'GET', query: { 'list-type': '2' } });
    if (textOf(body, 'IsTruncated') === 'true') throw new Error('more than one answer holds');
    return allOf(body, 'Key');
  } finally {
    client.close();
  }
}
