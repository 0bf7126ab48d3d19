import { randomUUID } from 'node:crypto';
import { delayed } from './delayed.ts';
import { failureOf } from './failure.ts';
import type { Refusal } from './failure.ts';
import { isRefusal } from './client.ts';
import type { S3Answer, S3Client, S3Request } from './client.ts';

const markHeader = 'x-amz-meta-modelwire-write';
/** Milliseconds for tidying up after a write that failed, while its caller waits. */
const tidyMs = 10_000;

/**
 * The request with which bytes come under a key. Its answer may be lost, or its first try may succeed and the second be refused because of
 * it: each write marks its bytes, so that it can be seen whose they are.
 */
export interface Commit {
  /** To be sent where the bytes are made: with them, or when their parts are begun. */
  readonly mark: Readonly<Record<string, string>>;
  /** Sends it. When this rejects, no bytes of this write are under the key. */
  run(request: S3Request): Promise<void>;
}

/** What is known about a store: some refuse conditions, and are then asked without. */
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
    // What cannot be reached now is removed by whoever keeps account of keys.
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
    // Refused because of what an earlier try did, of which the answer was lost.
    if (tries > 1 && (status === 412 || status === 404) && (await ours())) return;
    // Only a clear no to the first try is sure to have done nothing.
    if (tries > 1 || status === undefined || status >= 500) await withdraw();
    throw failureOf(doing, answer);
  }

  return { mark: { [markHeader]: id }, run };
}
