import { isBlobKey } from '@modelwire/ports';
import { isRefusal } from './client.ts';
import type { S3Client } from './client.ts';
import { abandonUpload } from './multipart.ts';
import { allOf, textOf, unescaped } from './xml.ts';

/** Removes incomplete multipart uploads that were started so long ago that they must be abandoned. Keeps those of other prefixes. */
export async function removeAbandoned(
  client: S3Client,
  prefix: string,
  olderThanMs: number,
  signal: AbortSignal,
): Promise<void> {
  const doing = 'incomplete multipart uploads cannot be listed';
  let from: Readonly<Record<string, string>> | undefined = {};
  while (from) {
    const query = { uploads: '', prefix: `${prefix}blob_`, ...from };
    const answer = await client.ask({ doing, method: 'GET', query, signal });
    // Not every server lists uploads, and not every access key may.
    if (isRefusal(answer)) return;
    for (const upload of allOf(answer.body, 'Upload')) {
      const named = unescaped(textOf(upload, 'Key') ?? '');
      const key = named.startsWith(prefix) ? named.slice(prefix.length) : '';
      const uploadId = unescaped(textOf(upload, 'UploadId') ?? '');
      const begun = Date.parse(textOf(upload, 'Initiated') ?? '');
      if (isBlobKey(key) && uploadId !== '' && begun < Date.now() - olderThanMs)
        await abandonUpload(client, key, uploadId, signal);
    }
    from = nextOf(answer.body);
  }
}

function nextOf(body: string): Readonly<Record<string, string>> | undefined {
  if (textOf(body, 'IsTruncated') !== 'true') return undefined;
  const key = textOf(body, 'NextKeyMarker');
  const uploadId = textOf(body, 'NextUploadIdMarker');
  if (key === undefined || uploadId === undefined) return undefined;
  return { 'key-marker': unescaped(key), 'upload-id-marker': unescaped(uploadId) };
}
