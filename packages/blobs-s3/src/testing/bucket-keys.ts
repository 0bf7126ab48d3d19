import { createS3Client } from '../client.ts';
import { resolveOptions } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { elementTexts, elementText } from '../xml.ts';

/** The keys of all objects in a bucket, for tests. @throws when one response cannot list them. */
export async function bucketKeys(options: S3BlobsOptions): Promise<string[]> {
  const client = createS3Client(resolveOptions(options));
  try {
    const { body } = await client.sendOrThrow({ failureMessage: 'list', method: 'GET', query: { 'list-type': '2' } });
    if (elementText(body, 'IsTruncated') === 'true') throw new Error('too many objects for one response');
    return elementTexts(body, 'Key');
  } finally {
    client.close();
  }
}
