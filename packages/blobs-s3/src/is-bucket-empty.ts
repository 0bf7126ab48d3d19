import { isContentKey } from '@modelwire/adapter-kit';
import { isFailure } from './client.ts';
import type { S3Client } from './client.ts';
import { elementText, elementTexts, unescapeXml } from './xml.ts';

const timeoutMs = 5000;

/**
 * Whether the bucket has no blobs with this prefix, by the first page of their list. Undefined if the server does not list them in time, or the
 * access key may not.
 */
export async function isBucketEmpty(client: S3Client, prefix: string): Promise<boolean | undefined> {
  const query = { 'list-type': '2', prefix: `${prefix}blob_` };
  const signal = AbortSignal.timeout(timeoutMs);
  const failureMessage = 'blobs cannot be listed';
  const response = await client.send({ failureMessage, method: 'GET', query, signal }).catch(() => undefined);
  if (!response || isFailure(response)) return undefined;
  return !elementTexts(response.body, 'Contents')
    .map((object) => unescapeXml(elementText(object, 'Key') ?? ''))
    .some((key) => key.startsWith(prefix) && isContentKey(key.slice(prefix.length)));
}
