import { BlobMissingError } from '@modelwire/ports';
import type { ByteRange } from '@modelwire/ports';
import { isRefusal, pause } from './client.ts';
import type { S3Client } from './client.ts';
import { S3BlobsError, failureOf } from './failure.ts';
import type { Refusal } from './failure.ts';

/** Streams an object with backpressure. After a connection loss the read resumes at the byte where it stopped. */
export async function* readBlob(
  client: S3Client,
  key: string,
  range: ByteRange | undefined,
  attempts: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const doing = `bytes under '${key}' cannot be read`;
  if (range && range.start === range.end) return requireThere(client, key, doing);
  let at = range?.start ?? 0;
  let end = range?.end;
  let etag: string | undefined;
  for (let failures = 0; ;) {
    const bytes =
      range !== undefined || at > 0 ? { range: `bytes=${at}-${end === undefined ? '' : end - 1}` } : undefined;
    const same = etag === undefined ? undefined : { 'if-match': etag };
    const answer = await client.stream({ doing, method: 'GET', key, headers: { ...bytes, ...same } });
    if (isRefusal(answer)) throw missingOr(answer, key, doing);
    etag ??= answer.header('etag');
    const { body } = answer;
    // Bodies that are not read to the end may emit errors.
    body.on('error', () => undefined);
    const length = Number(answer.header('content-length') ?? Number.NaN);
    const given = bytes ? Number(/^bytes (\d+)-/.exec(answer.header('content-range') ?? '')?.[1]) : 0;
    end ??= at + length;
    if (given !== at || !(at + length >= end)) {
      body.destroy();
      if (given === at && at + length < end) throw new RangeError(`bytes ${at} to ${end} are incomplete`);
      throw new S3BlobsError(`${doing}: the response has a different range`, {
        code: 'WrongRange',
        status: answer.status,
      });
    }
    try {
      for await (const piece of body as AsyncIterable<Uint8Array>) {
        // A server may return more than the requested range.
        const asked = piece.subarray(0, end - at);
        at += asked.length;
        failures = 0;
        yield asked;
        if (at === end) break;
      }
      if (at === end) return;
    } catch (cause) {
      if (++failures >= attempts) throw failureOf(doing, { status: undefined, code: 'ConnectionLost', cause });
    }
    await pause(Math.max(failures, 1), undefined);
  }
}

/** HTTP has no empty range: checks only that the object exists. */
async function requireThere(client: S3Client, key: string, doing: string): Promise<void> {
  const answer = await client.ask({ doing, method: 'HEAD', key });
  if (isRefusal(answer)) throw missingOr(answer, key, doing);
}

function missingOr(refusal: Refusal, key: string, doing: string): Error {
  const { status, code } = refusal;
  // Responses to HEAD have no body, and so no code.
  if (status === 404 && (code === 'NoSuchKey' || code === 'HTTP404')) return new BlobMissingError(key);
  if (status === 416) return new RangeError(`${doing}: the range is beyond the end`);
  return failureOf(doing, refusal);
}
