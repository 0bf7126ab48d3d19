import { randomUUID } from 'node:crypto';
import { delaySignal } from './delayed.ts';
import { toError } from './failure.ts';
import type { S3Failure } from './failure.ts';
import { isFailure } from './client.ts';
import type { S3Response, S3Client, S3Request } from './client.ts';

const writeIdHeader = 'x-amz-meta-modelwire-write';
/** Milliseconds for the cleanup after a failed write, while its caller waits. */
const cleanupTimeoutMs = 10_000;

/**
 * The request that creates the object. Its response may be lost, or the first attempt may succeed and cause the second to be rejected, so each
 * write stores an ID with its object to recognize it.
 */
export interface Commit {
  /** Headers for the request that creates the object or the multipart upload. */
  readonly writeIdHeaders: Readonly<Record<string, string>>;
  /** Sends the request. If it rejects, the key does not hold an object of this write. */
  run(request: S3Request): Promise<void>;
}

/** Some servers do not support conditional writes; these are then sent without conditions. */
export interface ConditionalWrites {
  isSupported: boolean;
}

export function createCommit(
  client: S3Client,
  conditionalWrites: ConditionalWrites,
  key: string,
  failureMessage: string,
): Commit {
  const id = randomUUID();

  async function isOwnObject(signal?: AbortSignal): Promise<boolean> {
    const response = await client.send({ failureMessage, method: 'HEAD', key, ...(signal && { signal }) });
    return !isFailure(response) && response.header(writeIdHeader) === id;
  }

  async function removeOwnObject(): Promise<void> {
    const signal = AbortSignal.timeout(cleanupTimeoutMs);
    // If the server is unreachable now, the blob ledger removes the object later.
    if (await isOwnObject(signal).catch(() => false))
      await client.send({ failureMessage, method: 'DELETE', key, signal }).catch(() => undefined);
  }

  async function send(request: S3Request): Promise<S3Response | (S3Failure & { attempts: number })> {
    const condition = conditionalWrites.isSupported ? { 'if-none-match': '*' } : undefined;
    const response = await client.send({ ...request, headers: { ...request.headers, ...condition } });
    if (!condition || !isFailure(response) || response.status !== 501) return response;
    conditionalWrites.isSupported = false;
    return client.send(request);
  }

  async function run({ signal, ...request }: S3Request): Promise<void> {
    signal?.throwIfAborted();
    const delayed = delaySignal(signal);
    let response;
    try {
      response = await send({ ...request, signal: delayed.signal });
    } catch (error) {
      await removeOwnObject();
      throw error;
    } finally {
      delayed.stop();
    }
    if (!isFailure(response)) return;
    const { status, attempts } = response;
    // Rejected because an earlier attempt, whose response was lost, succeeded.
    if (attempts > 1 && (status === 412 || status === 404) && (await isOwnObject())) return;
    // Only a definite rejection of the first attempt is certain to have had no effect.
    if (attempts > 1 || status === undefined || status >= 500) await removeOwnObject();
    throw toError(failureMessage, response);
  }

  return { writeIdHeaders: { [writeIdHeader]: id }, run };
}
