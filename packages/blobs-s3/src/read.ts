import { BlobMissingError } from '@modelwire/ports';
import type { ByteRange } from '@modelwire/ports';
import { isFailure, pause } from './client.ts';
import type { S3Client } from './client.ts';
import { S3BlobsError, toError } from './failure.ts';
import type { S3Failure } from './failure.ts';

/** Streams an object with backpressure. After a connection loss the read resumes at the byte where it stopped. */
export async function* readBlob(
  client: S3Client,
  key: string,
  range: ByteRange | undefined,
  attempts: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const failureMessage = `bytes under '${key}' cannot be read`;
  if (range && range.start === range.end) return requireObject(client, key, failureMessage);
  let at = range?.start ?? 0;
  let end = range?.end;
  let etag: string | undefined;
  for (let failures = 0; ;) {
    const bytes =
      range !== undefined || at > 0 ? { range: `bytes=${at}-${end === undefined ? '' : end - 1}` } : undefined;
    const ifMatch = etag === undefined ? undefined : { 'if-match': etag };
    const response = await client.stream({ failureMessage, method: 'GET', key, headers: { ...bytes, ...ifMatch } });
    if (isFailure(response)) throw toReadError(response, key, failureMessage);
    etag ??= response.header('etag');
    const { body } = response;
    // Bodies that are not read to the end may emit errors.
    body.on('error', () => undefined);
    const length = Number(response.header('content-length') ?? Number.NaN);
    const responseStart = bytes ? Number(/^bytes (\d+)-/.exec(response.header('content-range') ?? '')?.[1]) : 0;
    end ??= at + length;
    if (responseStart !== at || !(at + length >= end)) {
      body.destroy();
      if (responseStart === at && at + length < end) throw new RangeError(`bytes ${at} to ${end} are incomplete`);
      throw new S3BlobsError(`${failureMessage}: the response has a different range`, {
        code: 'WrongRange',
        status: response.status,
      });
    }
    try {
      for await (const piece of body as AsyncIterable<Uint8Array>) {
        // A server may return more than the requested range.
        const requested = piece.subarray(0, end - at);
        at += requested.length;
        failures = 0;
        yield requested;
        if (at === end) break;
      }
      if (at === end) return;
    } catch (cause) {
      if (++failures >= attempts) throw toError(failureMessage, { status: undefined, code: 'ConnectionLost', cause });
    }
    await pause(Math.max(failures, 1), undefined);
  }
}

/** HTTP has no empty range: checks only that the object exists. */
async function requireObject(client: S3Client, key: string, failureMessage: string): Promise<void> {
  const response = await client.send({ failureMessage, method: 'HEAD', key });
  if (isFailure(response)) throw toReadError(response, key, failureMessage);
}

function toReadError(failure: S3Failure, key: string, failureMessage: string): Error {
  const { status, code } = failure;
  // Responses to HEAD have no body, and so no code.
  if (status === 404 && (code === 'NoSuchKey' || code === 'HTTP404')) return new BlobMissingError(key);
  if (status === 416) return new RangeError(`${failureMessage}: the range is beyond the end`);
  return toError(failureMessage, failure);
}
