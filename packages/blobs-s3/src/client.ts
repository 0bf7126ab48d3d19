import { backoffMs, raceAbort, sleep } from '@modelwire/adapter-kit';
import { readAtMost } from '@modelwire/adapter-kit/internal';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request as sendRequest } from 'undici/index.js';
import type { Dispatcher } from 'undici';
import { parseErrorCode, toError, isTimeout, isRetryable } from './failure.ts';
import type { S3Failure } from './failure.ts';
import type { S3Settings } from './options.ts';

export interface S3Request {
  /** Describes the failure for errors: what cannot be done. */
  readonly failureMessage: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined: the request is for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly sha256: string };
  readonly signal?: AbortSignal;
  /** Allows one attempt to take all of `timeoutMs`: completing a multipart upload is slow. */
  readonly isSlow?: boolean;
  /** Detects an error in the body of a response with status 200. */
  readonly isError?: (body: string) => boolean;
}

export interface S3Response {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Number of attempts. An earlier one may have succeeded on the server. */
  readonly attempts: number;
}

/** Sends signed requests to one bucket and retries them. */
export interface S3Client {
  /** Reads the whole response, which must be small. `send` returns errors of the server, `sendOrThrow` throws them as S3BlobsError. */
  send(
    request: S3Request,
  ): Promise<(S3Response & { readonly body: string }) | (S3Failure & { readonly attempts: number })>;
  sendOrThrow(request: S3Request): Promise<S3Response & { readonly body: string }>;
  /** Streams the body of the response. */
  stream(
    request: S3Request,
  ): Promise<
    (S3Response & { readonly body: Dispatcher.ResponseData['body'] }) | (S3Failure & { readonly attempts: number })
  >;
  close(): void;
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** A list of 1000 uploads is some 500 kB. */
const maxResponseBytes = 4 * 1024 * 1024;

/** How many attempts may time out within `timeoutMs`: after a dead connection the next attempt uses another. */
const maxTimeouts = 3;

export function isFailure(response: object): response is S3Failure & { readonly attempts: number } {
  return 'code' in response;
}

export function createS3Client(settings: S3Settings): S3Client {
  const { region, timeoutMs, attempts: maxAttempts } = settings;
  const attemptMs = Math.ceil(timeoutMs / maxTimeouts);
  // HTTP/2 would send all parts over one connection.
  const agent = new Agent({ connections: 128, allowH2: false, connect: { timeout: attemptMs } });
  // Caches signing keys, one for each day and secret.
  const cache = new Map<string, ArrayBuffer>();

  async function sendOnce({ method, key, query = {}, headers, body, signal, isSlow }: S3Request) {
    const url = new URL(settings.bucketUrl);
    if (key !== undefined) url.pathname += settings.prefix + key;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The server rejects bytes that do not match the hash.
    const headersWithHash = { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 };
    const { accessKeyId, secretAccessKey, sessionToken } = await raceAbort(
      settings.credentials(),
      AbortSignal.any([AbortSignal.timeout(attemptMs), ...(signal ? [signal] : [])]),
    );
    const signer = new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      method,
      url: url.href,
      headers: headersWithHash,
      service: 's3',
      region,
      cache,
    });
    const signed = await signer.sign();
    return sendRequest(signed.url, {
      method,
      headers: { ...Object.fromEntries(signed.headers), ...(body && { 'content-length': String(body.bytes.length) }) },
      // Not fetch, which would copy the bytes.
      body: body ? toBody(body.bytes) : null,
      dispatcher: agent,
      headersTimeout: isSlow === true ? timeoutMs : attemptMs,
      bodyTimeout: isSlow === true ? timeoutMs : attemptMs,
      ...(signal && { signal }),
    });
  }

  async function sendWithRetries<Result extends object>(
    request: S3Request,
    readResponse: (response: Dispatcher.ResponseData) => Promise<Result | S3Failure>,
  ): Promise<(S3Response & Result) | (S3Failure & { attempts: number })> {
    let timeouts = 0;
    for (let attempts = 1; ; attempts++) {
      request.signal?.throwIfAborted();
      const outcome = await attempt(request, readResponse);
      if (!('code' in outcome)) return { ...outcome, attempts };
      request.signal?.throwIfAborted();
      if (isTimeout(outcome)) timeouts++;
      if (attempts >= maxAttempts || timeouts >= (request.isSlow === true ? 1 : maxTimeouts) || !isRetryable(outcome))
        return { ...outcome, attempts };
      await pause(attempts, request.signal);
    }
  }

  async function attempt<Result extends object>(
    request: S3Request,
    readResponse: (response: Dispatcher.ResponseData) => Promise<Result | S3Failure>,
  ): Promise<(Omit<S3Response, 'attempts'> & Result) | S3Failure> {
    try {
      const response = await sendOnce(request);
      const { statusCode: status, headers } = response;
      if (status >= 300) return { status, code: parseErrorCode(await readText(response), status) };
      const result = await readResponse(response);
      if ('code' in result) return result;
      const header = (name: string) => [headers[name]].flat()[0];
      return { ...result, status, header };
    } catch (cause) {
      request.signal?.throwIfAborted();
      return { status: undefined, code: connectionErrorCode(cause), cause };
    }
  }

  const send: S3Client['send'] = (request) =>
    sendWithRetries(request, async (response) => {
      const body = await readText(response);
      // S3 may send status 200 before it has finished, and then fail.
      return request.isError?.(body) === true ? { status: 500, code: parseErrorCode(body, 500) } : { body };
    });

  return {
    send,
    async sendOrThrow(request) {
      const response = await send(request);
      if (isFailure(response)) throw toError(request.failureMessage, response);
      return response;
    },
    stream: (request) => sendWithRetries(request, async ({ body }) => ({ body })),
    close() {
      // Ends after running reads. Not awaited.
      agent.close().catch(() => undefined);
    },
  };
}

const sliceBytes = 256 * 1024;

/** Sends in slices, so that the timeout applies to idle time and not to the whole transfer: undici restarts it with each slice. */
function toBody(bytes: Uint8Array): Uint8Array | Readable {
  return bytes.length <= sliceBytes ? bytes : Readable.from(slices(bytes), { objectMode: false });
}

function* slices(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
  }
}

async function readText({ body }: Dispatcher.ResponseData): Promise<string> {
  return new TextDecoder().decode(
    await readAtMost(body, maxResponseBytes, () => new Error('the response is too long')),
  );
}

function connectionErrorCode(error: unknown): string {
  if (error instanceof Error && error.name === 'CredentialsProviderError') return 'CredentialsUnavailable';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ConnectionFailed';
}

/** Waits before the next attempt, with exponential backoff up to 5 s. @throws the signal's reason. */
export function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(backoffMs(attempt, { firstMs: 100, maxMs: 5000, minPart: 0.5 }), signal);
}
