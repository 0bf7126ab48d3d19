import { isBlobKey } from '@modelwire/adapter-kit/internal';
import { isFailure } from './client.ts';
import type { S3Client } from './client.ts';
import { abortUpload } from './multipart.ts';
import { elementTexts, elementText, unescapeXml } from './xml.ts';

/** Removes incomplete multipart uploads that were started so long ago that they must be abandoned. Keeps those of other prefixes. */
export async function removeAbandoned(
  client: S3Client,
  prefix: string,
  olderThanMs: number,
  signal: AbortSignal,
): Promise<void> {
  const failureMessage = 'incomplete multipart uploads cannot be listed';
  let from: Readonly<Record<string, string>> | undefined = {};
  while (from) {
    const query = { uploads: '', prefix: `${prefix}blob_`, ...from };
    const response = await client.send({ failureMessage, method: 'GET', query, signal });
    // Not every server lists uploads, and not every access key may.
    if (isFailure(response)) return;
    for (const upload of elementTexts(response.body, 'Upload')) {
      const objectKey = unescapeXml(elementText(upload, 'Key') ?? '');
      const key = objectKey.startsWith(prefix) ? objectKey.slice(prefix.length) : '';
      const uploadId = unescapeXml(elementText(upload, 'UploadId') ?? '');
      const initiatedAt = Date.parse(elementText(upload, 'Initiated') ?? '');
      if (isBlobKey(key) && uploadId !== '' && initiatedAt < Date.now() - olderThanMs)
        await abortUpload(client, key, uploadId, signal);
    }
    from = nextPageMarkers(response.body);
  }
}

function nextPageMarkers(body: string): Readonly<Record<string, string>> | undefined {
  if (elementText(body, 'IsTruncated') !== 'true') return undefined;
  const key = elementText(body, 'NextKeyMarker');
  const uploadId = elementText(body, 'NextUploadIdMarker');
  if (key === undefined || uploadId === undefined) return undefined;
  return { 'key-marker': unescapeXml(key), 'upload-id-marker': unescapeXml(uploadId) };
}
