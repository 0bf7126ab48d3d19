import { randomUUID } from 'node:crypto';
import { delayed } from './delayed.ts';
import { failureOf } from './failure.ts';
import type { Refusal } from './failure.ts';
import { isRefusal } from './client.ts';
import type { S3Answer, S3Client, S3Request } from './client.ts';

const markHeader = 'x-amz-meta-modelwire-write';
/** Milliseconds for the cleanup after a failed write, while its caller waits. */
const tidyMs = 10_000;

/**
 * The request that creates the object. Its response may be lost, or the first attempt may succeed and cause the second to be rejected, so each
 * write marks its object with an ID to recognize it.
 */
export interface Commit {
  /** Headers for the request that creates the object or the multipart upload. */
  readonly mark: Readonly<Record<string, string>>;
  /** Sends the request. If it rejects, the key does not hold an object of this write. */
  run(request: S3Request): Promise<void>;
}

/** Some servers do not support conditional writes; these are then sent without conditions. */
export interface Conditions {
  understood: boolean;
}

export function commitOf(client: S3Client, conditions: Conditions, key: string, doing: string): Commit {
  const id = randomUUID();

  async function ours(signal?: AbortSignal): Promise<boolean> {
    const found = await client.ask({ doing, method: 'HEAD', key, ...(signal && { signal }) });
    return !isRefusal(found) && found.header(markHeader) === id;
  }

  async function withdraw(): Promise<void> {
    const signal = AbortSignal.timeout(tidyMs);
    // If the server is unreachable now, the blob ledger removes the object later.
    if (await ours(signal).catch(() => false))
      await client.ask({ doing, method: 'DELETE', key, signal }).catch(() => undefined);
  }

  async function send(request: S3Request): Promise<S3Answer | (Refusal & { tries: number })> {
    const condition = conditions.understood ? { 'if-none-match': '*' } : undefined;
    const answer = await client.ask({ ...request, headers: { ...request.headers, ...condition } });
    if (!condition || !isRefusal(answer) || answer.status !== 501) return answer;
    conditions.understood = false;
    return client.ask(request);
  }

  async function run({ signal, ...request }: S3Request): Promise<void> {
    signal?.throwIfAborted();
    const late = delayed(signal);
    let answer;
    try {
      answer = await send({ ...request, signal: late.signal });
    } catch (error) {
      await withdraw();
      throw error;
    } finally {
      late.stop();
    }
    if (!isRefusal(answer)) return;
    const { status, tries } = answer;
    // Rejected because an earlier attempt, whose response was lost, succeeded.
    if (tries > 1 && (status === 412 || status === 404) && (await ours())) return;
    // Only a definite rejection of the first attempt is certain to have had no effect.
    if (tries > 1 || status === undefined || status >= 500) await withdraw();
    throw failureOf(doing, answer);
  }

  return { mark: { [markHeader]: id }, run };
}
