import { createHash } from 'node:crypto';

import type { S3Client } from './client.ts';
import type { Commit } from './commit.ts';
import { delayed } from './delayed.ts';
import { S3BlobsError } from './failure.ts';
import { sha256Of } from './parts.ts';
import { escaped, textOf, unescaped } from './xml.ts';

/** A multipart upload. */
export interface Multipart {
  send(number: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Creates the object from the parts. */
  complete(commit: Commit, signal: AbortSignal): Promise<void>;
  /** Removes the parts. If that fails, the sweep removes them later. */
  abandon(): Promise<void>;
}

/** The limit of S3. */
const mostParts = 10_000;
const tidyMs = 10_000;

export async function openMultipart(
  client: S3Client,
  begun: {
    readonly key: string;
    readonly doing: string;
    readonly mark: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Multipart> {
  const { key, doing, mark, signal } = begun;
  signal.throwIfAborted();
  // Waits for the upload id: without it the upload could not be removed.
  const late = delayed(signal);
  const request = { doing, method: 'POST', key, query: { uploads: '' }, headers: mark, signal: late.signal } as const;
  const { body } = await client.must(request).finally(late.stop);
  const uploadId = unescaped(textOf(body, 'UploadId') ?? '');
  if (uploadId === '')
    throw new S3BlobsError(`${doing}: the response has no upload ID`, { code: 'NoUploadId', status: 200 });
  const etags = new Map<number, string>();

  return {
    async send(number, bytes, ending) {
      if (number > mostParts) {
        throw new S3BlobsError(`${doing}: more than ${mostParts} parts; increase partBytes`, {
          code: 'EntityTooLarge',
        });
      }
      const query = { partNumber: String(number), uploadId };
      const sha256 = await sha256Of(bytes);
      const answer = await client.must({ doing, method: 'PUT', key, query, body: { bytes, sha256 }, signal: ending });
      const etag = answer.header('etag');
      if (etag === undefined)
        throw new S3BlobsError(`${doing}: the response has no ETag`, { code: 'NoETag', status: 200 });
      etags.set(number, etag);
    },

    async complete(commit, ending) {
      const numbers = Array.from(etags.keys()).toSorted((one, other) => one - other);
      const parts = numbers.map(
        (number) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etags.get(number) ?? '')}</ETag></Part>`,
      );
      const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
      const bytes = Buffer.from(
        `<CompleteMultipartUpload xmlns="${namespace}">${parts.join('')}</CompleteMultipartUpload>`,
      );
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const headers = { 'content-type': 'application/xml' };
      const refused = (answer: string) => answer.includes('<Error>');
      await commit.run({
        doing,
        method: 'POST',
        key,
        query: { uploadId },
        headers,
        body: { bytes, sha256 },
        signal: ending,
        slow: true,
        refused,
      });
    },

    abandon: () => abandonUpload(client, key, uploadId, AbortSignal.timeout(tidyMs)),
  };
}

export async function abandonUpload(
  client: S3Client,
  key: string,
  uploadId: string,
  signal: AbortSignal,
): Promise<void> {
  const doing = `the parts of '${key}' cannot be removed`;
  await client.ask({ doing, method: 'DELETE', key, query: { uploadId }, signal }).catch(() => undefined);
}
