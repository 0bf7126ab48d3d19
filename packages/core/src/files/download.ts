import { asResponse } from '../transport/response-reader.ts';
import type { ResponseReader } from '../transport/response-reader.ts';
import { ConnectionError, InputError, TimeoutError } from '../errors.ts';
import type { CallOptions, RequestOptions } from '../transport/options.ts';
import type { ApiPromise, Transport } from '../transport/transport.ts';
import type { Route } from '../transport/url.ts';

/** A range of bytes with the arguments of `slice`: `end` is exclusive, and a negative `start` without `end` counts from the end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Default: all bytes. The response to a range has status 206. */
  readonly range?: ByteRange | undefined;
}

/**
 * Downloads bytes of any size, as a `Response` whose body is read on demand. When the connection fails and the server supports
 * ranges, the download resumes, up to `maxRetries` times without a byte in between.
 */
export function download(
  transport: Transport,
  route: Route,
  { range, ...call }: DownloadOptions & RequestOptions,
): ApiPromise<Response> {
  const requestOptions = (bytes: string | undefined, etag?: string): RequestOptions => ({
    ...call,
    headers: { ...call.headers, ...(bytes !== undefined && { range: `bytes=${bytes}` }), 'if-range': etag },
  });
  const responseReader: ResponseReader<Response> = {
    ...asResponse,
    async read(exchange, retries) {
      const first = await asResponse.read(exchange, retries);
      const { status, headers, body } = first;
      if (body === null || headers.has('content-encoding') || (status !== 206 && status !== 200)) return first;
      return new Response(resumable(headers, body, retries), { status, headers });
    },
  };
  if (range !== undefined && !isRange(range)) {
    const failure = new InputError('range must be { start } or { start, end } with integers, and not empty.', {
      param: 'range',
    });
    return Object.assign(Promise.reject(failure), { withResponse: () => Promise.reject(failure) });
  }
  return transport.request(route, requestOptions(range && formatRange(range)), responseReader);

  function resumable(headers: Headers, body: ReadableStream<Uint8Array>, retries: number): ReadableStream<Uint8Array> {
    const span = parseSpan(headers);
    let reader = body.getReader();
    let position = span.start;
    let failures = 0;
    let cancelled = false;
    const isCancelled = (): boolean => cancelled;

    async function read(): Promise<Uint8Array | undefined> {
      for (;;) {
        try {
          const { value } = await reader.read();
          if (value === undefined) return undefined;
          failures = 0;
          position += value.length;
          return value;
        } catch (error) {
          if (isCancelled() || !isInterrupted(error) || failures++ >= retries) throw error;
          if (position > span.last) return undefined;
          const body = await requestRest();
          if (body === undefined) throw error;
          reader = body.getReader();
          if (isCancelled()) await reader.cancel();
        }
      }
    }

    /** The bytes from `position`, if the server still has the same content. */
    async function requestRest(): Promise<ReadableStream<Uint8Array> | undefined> {
      const etag = headers.get('etag') ?? '';
      const bytes = `${position}-${span.last === Infinity ? '' : span.last}`;
      // A weak ETag does not guarantee the same bytes.
      const {
        status,
        headers: newHeaders,
        body,
      } = await transport.request(route, requestOptions(bytes, etag.startsWith('"') ? etag : undefined), asResponse);
      const { start, size } = parseSpan(newHeaders);
      const isSameContent =
        status === 206 && start === position && (span.size === undefined || size === undefined || size === span.size);
      if (isSameContent && body !== null) return body;
      await body?.cancel();
      return undefined;
    }

    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const chunk = await read();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
        cancel() {
          cancelled = true;
          return reader.cancel();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function isRange({ start, end = Infinity }: ByteRange): boolean {
  if (!Number.isSafeInteger(start) || end <= start) return false;
  return end === Infinity || (start >= 0 && Number.isSafeInteger(end));
}

function formatRange({ start, end }: ByteRange): string {
  return start < 0 ? String(start) : `${start}-${end === undefined ? '' : end - 1}`;
}

interface Span {
  readonly start: number;
  readonly last: number;
  /** Size of the whole content, if the server sends it. */
  readonly size: number | undefined;
}

/** The bytes of a response: by its content-range, else all of its content-length. */
function parseSpan(headers: Headers): Span {
  const [, start, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (start !== undefined)
    return { start: Number(start), last: Number(last), size: size === '*' ? undefined : Number(size) };
  const length = headers.get('content-length');
  return length === null
    ? { start: 0, last: Infinity, size: undefined }
    : { start: 0, last: Number(length) - 1, size: Number(length) };
}

function isInterrupted(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.phase !== 'total');
}
