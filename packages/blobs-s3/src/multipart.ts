import { createHash } from 'node:crypto';

import type { S3Client } from './client.ts';
import type { Commit } from './commit.ts';
import { delaySignal } from './delayed.ts';
import { S3BlobsError } from './failure.ts';
import { computeSha256 } from './parts.ts';
import { escapeXml, elementText, unescapeXml } from './xml.ts';

/** A multipart upload. */
export interface Multipart {
  send(number: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Creates the object from the parts. */
  complete(commit: Commit, signal: AbortSignal): Promise<void>;
  /** Removes the parts. If that fails, the periodic cleanup removes them later. */
  abort(): Promise<void>;
}

/** The limit of S3. */
const maxParts = 10_000;
const cleanupTimeoutMs = 10_000;

export async function openMultipart(
  client: S3Client,
  init: {
    readonly key: string;
    readonly failureMessage: string;
    readonly writeIdHeaders: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Multipart> {
  const { key, failureMessage, writeIdHeaders, signal } = init;
  signal.throwIfAborted();
  // Waits for the upload ID: without it the upload could not be removed.
  const delayed = delaySignal(signal);
  const request = {
    failureMessage,
    method: 'POST',
    key,
    query: { uploads: '' },
    headers: writeIdHeaders,
    signal: delayed.signal,
  } as const;
  const { body } = await client.sendOrThrow(request).finally(delayed.stop);
  const uploadId = unescapeXml(elementText(body, 'UploadId') ?? '');
  if (uploadId === '')
    throw new S3BlobsError(`${failureMessage}: the response has no upload ID`, { code: 'NoUploadId', status: 200 });
  const etags = new Map<number, string>();

  return {
    async send(number, bytes, abortSignal) {
      if (number > maxParts) {
        throw new S3BlobsError(`${failureMessage}: more than ${maxParts} parts; increase partBytes`, {
          code: 'EntityTooLarge',
        });
      }
      const query = { partNumber: String(number), uploadId };
      const sha256 = await computeSha256(bytes);
      const response = await client.sendOrThrow({
        failureMessage,
        method: 'PUT',
        key,
        query,
        body: { bytes, sha256 },
        signal: abortSignal,
      });
      const etag = response.header('etag');
      if (etag === undefined)
        throw new S3BlobsError(`${failureMessage}: the response has no ETag`, { code: 'NoETag', status: 200 });
      etags.set(number, etag);
    },

    async complete(commit, abortSignal) {
      const numbers = Array.from(etags.keys()).toSorted((one, other) => one - other);
      const parts = numbers.map(
        (number) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etags.get(number) ?? '')}</ETag></Part>`,
      );
      const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
      const bytes = Buffer.from(
        `<CompleteMultipartUpload xmlns="${namespace}">${parts.join('')}</CompleteMultipartUpload>`,
      );
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const headers = { 'content-type': 'application/xml' };
      const isError = (response: string) => response.includes('<Error>');
      await commit.run({
        failureMessage,
        method: 'POST',
        key,
        query: { uploadId },
        headers,
        body: { bytes, sha256 },
        signal: abortSignal,
        isSlow: true,
        isError,
      });
    },

    abort: () => abortUpload(client, key, uploadId, AbortSignal.timeout(cleanupTimeoutMs)),
  };
}

export async function abortUpload(client: S3Client, key: string, uploadId: string, signal: AbortSignal): Promise<void> {
  const failureMessage = `the parts of '${key}' cannot be removed`;
  await client.send({ failureMessage, method: 'DELETE', key, query: { uploadId }, signal }).catch(() => undefined);
}
