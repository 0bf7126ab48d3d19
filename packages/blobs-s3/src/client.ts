import { backoffMs, sleep } from '@modelwire/ports';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request as send } from 'undici';
import type { Dispatcher } from 'undici';
import { codeIn, failureOf, isTimeout, passes } from './failure.ts';
import type { Refusal } from './failure.ts';
import type { S3Settings } from './options.ts';

export interface S3Request {
  /** Describes the failure for errors: what cannot be done. */
  readonly doing: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined: the request is for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly sha256: string };
  readonly signal?: AbortSignal;
  /** Allows one attempt to take all of `timeoutMs`: completing a multipart upload is slow. */
  readonly slow?: boolean;
  /** Detects an error in the body of a response with status 200. */
  readonly refused?: (body: string) => boolean;
}

export interface S3Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Number of attempts. An earlier one may have succeeded on the server. */
  readonly tries: number;
}

/** Sends signed requests to one bucket and retries them. */
export interface S3Client {
  /** Reads the whole response, which must be small. `ask` returns errors of the server, `must` throws them as S3BlobsError. */
  ask(request: S3Request): Promise<(S3Answer & { readonly body: string }) | (Refusal & { readonly tries: number })>;
  must(request: S3Request): Promise<S3Answer & { readonly body: string }>;
  /** Streams the body of the response. */
  stream(
    request: S3Request,
  ): Promise<(S3Answer & { readonly body: Dispatcher.ResponseData['body'] }) | (Refusal & { readonly tries: number })>;
  close(): void;
}

export const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** A list of 1000 uploads is some 500 kB. */
const largestAnswer = 4 * 1024 * 1024;

/** How many attempts may time out within `timeoutMs`: after a dead connection the next attempt uses another. */
const triesInTime = 3;

export function isRefusal(answer: object): answer is Refusal & { readonly tries: number } {
  return 'code' in answer;
}

export function s3Client(settings: S3Settings): S3Client {
  const { region, credentials, timeoutMs, attempts } = settings;
  const tryMs = Math.ceil(timeoutMs / triesInTime);
  // HTTP/2 would send all parts over one connection.
  const agent = new Agent({ connections: 128, allowH2: false, connect: { timeout: tryMs } });
  // Caches signing keys, one for each day.
  const cache = new Map<string, ArrayBuffer>();

  async function once({ method, key, query = {}, headers, body, signal, slow }: S3Request) {
    const url = new URL(settings.bucketUrl);
    if (key !== undefined) url.pathname += settings.prefix + key;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The server rejects bytes that do not match the hash.
    const hashed = { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 };
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: url.href,
      headers: hashed,
      service: 's3',
      region,
      cache,
    });
    const signed = await signer.sign();
    return send(signed.url, {
      method,
      headers: { ...Object.fromEntries(signed.headers), ...(body && { 'content-length': String(body.bytes.length) }) },
      // Not fetch, which would copy the bytes.
      body: body ? bodyOf(body.bytes) : null,
      dispatcher: agent,
      headersTimeout: slow === true ? timeoutMs : tryMs,
      bodyTimeout: slow === true ? timeoutMs : tryMs,
      ...(signal && { signal }),
    });
  }

  async function tried<Taken extends object>(
    request: S3Request,
    take: (response: Dispatcher.ResponseData) => Promise<Taken | Refusal>,
  ): Promise<(S3Answer & Taken) | (Refusal & { tries: number })> {
    let timeouts = 0;
    for (let tries = 1; ; tries++) {
      request.signal?.throwIfAborted();
      const outcome = await attempt(request, take);
      if (!('code' in outcome)) return { ...outcome, tries };
      request.signal?.throwIfAborted();
      if (isTimeout(outcome)) timeouts++;
      if (tries >= attempts || timeouts >= (request.slow === true ? 1 : triesInTime) || !passes(outcome))
        return { ...outcome, tries };
      await pause(tries, request.signal);
    }
  }

  async function attempt<Taken extends object>(
    request: S3Request,
    take: (response: Dispatcher.ResponseData) => Promise<Taken | Refusal>,
  ): Promise<(Omit<S3Answer, 'tries'> & Taken) | Refusal> {
    try {
      const response = await once(request);
      const { statusCode: status, headers } = response;
      if (status >= 300) return { status, code: codeIn(await textOf(response), status) };
      const taken = await take(response);
      if ('code' in taken) return taken;
      const header = (name: string) => [headers[name]].flat()[0];
      return { ...taken, status, header };
    } catch (cause) {
      request.signal?.throwIfAborted();
      return { status: undefined, code: codeOf(cause), cause };
    }
  }

  const ask: S3Client['ask'] = (request) =>
    tried(request, async (response) => {
      const body = await textOf(response);
      // S3 may send status 200 before it has finished, and then fail.
      return request.refused?.(body) === true ? { status: 500, code: codeIn(body, 500) } : { body };
    });

  return {
    ask,
    async must(request) {
      const answer = await ask(request);
      if (isRefusal(answer)) throw failureOf(request.doing, answer);
      return answer;
    },
    stream: (request) => tried(request, async ({ body }) => ({ body })),
    close() {
      // Ends after running reads. Not awaited.
      agent.close().catch(() => undefined);
    },
  };
}

const sliceBytes = 256 * 1024;

/** Sends in slices, so that the timeout applies to idle time and not to the whole transfer: undici restarts it with each slice. */
function bodyOf(bytes: Uint8Array): Uint8Array | Readable {
  return bytes.length <= sliceBytes ? bytes : Readable.from(slicesOf(bytes), { objectMode: false });
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
  }
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > largestAnswer) throw new Error('the response is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ConnectionFailed';
}

/** Waits before the next attempt, with exponential backoff up to 5 s. @throws the signal's reason. */
export function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(backoffMs(attempt, { firstMs: 100, maxMs: 5000, minPart: 0.5 }), signal);
}
