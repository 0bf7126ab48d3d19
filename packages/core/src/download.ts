import { asResponse } from './answer.ts';
import type { AnswerKind } from './answer.ts';
import { ConnectionError, InputError, TimeoutError } from './errors.ts';
import type { CallOptions, RequestOptions } from './options.ts';
import type { ApiPromise, Transport } from './transport.ts';
import type { Route } from './url.ts';

/** A range of bytes, as `slice` has it: `end` is not part of it, and a negative `start` without `end` counts from the end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Default: all of it. The answer to a range has status 206. */
  readonly range?: ByteRange | undefined;
}

/**
 * Bytes of any size, as a `Response` whose body is read as you ask for it. A connection that breaks is taken up again
 * where it broke, as often as `maxRetries` says without a byte in between, when the server answers ranges.
 */
export function download(
  transport: Transport,
  route: Route,
  { range, ...call }: DownloadOptions & RequestOptions,
): ApiPromise<Response> {
  const ask = (asked: string | undefined, tag?: string): RequestOptions => ({
    ...call,
    headers: { ...call.headers, ...(asked !== undefined && { range: `bytes=${asked}` }), 'if-range': tag },
  });
  const answer: AnswerKind<Response> = {
    ...asResponse,
    async read(exchange, retries) {
      const first = await asResponse.read(exchange, retries);
      const { status, statusText, headers, body } = first;
      if (body === null || headers.has('content-encoding') || (status !== 206 && status !== 200)) return first;
      return new Response(resuming(headers, body, retries), { status, statusText, headers });
    },
  };
  if (range !== undefined && !isRange(range)) {
    const failure = new InputError('A range is { start } or { start, end } in whole bytes, and not empty.', {
      param: 'range',
    });
    return Object.assign(Promise.reject(failure), { withResponse: () => Promise.reject(failure) });
  }
  return transport.request(route, ask(range && written(range)), answer);

  function resuming(headers: Headers, body: ReadableStream<Uint8Array>, retries: number): ReadableStream<Uint8Array> {
    const span = spanOf(headers);
    let reader = body.getReader();
    let at = span.start;
    let failures = 0;
    let left = false;
    const hasLeft = (): boolean => left;

    async function read(): Promise<Uint8Array | undefined> {
      for (;;) {
        try {
          const { value } = await reader.read();
          if (value === undefined) return undefined;
          failures = 0;
          at += value.length;
          return value;
        } catch (error) {
          if (hasLeft() || !isCut(error) || failures++ >= retries) throw error;
          if (at > span.last) return undefined;
          const rest = await askRest();
          if (rest === undefined) throw error;
          reader = rest.getReader();
          if (hasLeft()) await reader.cancel();
        }
      }
    }

    /** The bytes from `at` on, if the server still has the same ones. */
    async function askRest(): Promise<ReadableStream<Uint8Array> | undefined> {
      const tag = headers.get('etag') ?? '';
      const asked = `${at}-${span.last === Infinity ? '' : span.last}`;
      // A weak tag vouches for the meaning, not for the bytes.
      const {
        status,
        headers: found,
        body,
      } = await transport.request(route, ask(asked, tag.startsWith('"') ? tag : undefined), asResponse);
      const { start, size } = spanOf(found);
      const same =
        status === 206 && start === at && (span.size === undefined || size === undefined || size === span.size);
      if (same && body !== null) return body;
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
          left = true;
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

function written({ start, end }: ByteRange): string {
  return start < 0 ? String(start) : `${start}-${end === undefined ? '' : end - 1}`;
}

interface Span {
  readonly start: number;
  readonly last: number;
  /** Of the whole thing, where the server says it. */
  readonly size: number | undefined;
}

/** Which bytes an answer holds: by its content-range, or all of its content-length. */
function spanOf(headers: Headers): Span {
  const [, start, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (start !== undefined)
    return { start: Number(start), last: Number(last), size: size === '*' ? undefined : Number(size) };
  const length = headers.get('content-length');
  return length === null
    ? { start: 0, last: Infinity, size: undefined }
    : { start: 0, last: Number(length) - 1, size: Number(length) };
}

function isCut(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.phase !== 'total');
}
