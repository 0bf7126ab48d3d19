import type { S3Client } from './client.ts';
import { createCommit } from './commit.ts';
import type { Commit, ConditionalWrites } from './commit.ts';
import { openMultipart } from './multipart.ts';
import type { Multipart } from './multipart.ts';
import { createPartsInFlight } from './parts-in-flight.ts';
import { splitIntoParts, computeSha256 } from './parts.ts';
import type { Part, BufferPool } from './parts.ts';
import type { Semaphore } from '@modelwire/adapter-kit';

export interface WriteContext {
  readonly client: S3Client;
  readonly buffers: BufferPool;
  readonly semaphore: Semaphore;
  readonly conditionalWrites: ConditionalWrites;
  readonly partBytes: number;
}

/** Uploads less than one part in a single request, anything larger in parts, while the next part is read from the source. */
export async function writeBlob(
  context: WriteContext,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { client, buffers, conditionalWrites, partBytes } = context;
  const failureMessage = `bytes under '${key}' cannot be written`;
  const commit = createCommit(client, conditionalWrites, key, failureMessage);
  const partFailure = new AbortController();
  const parts = createPartsInFlight(buffers, context.semaphore, partFailure);
  const abortSignal = AbortSignal.any([signal, partFailure.signal]);
  let multipart: Multipart | undefined;
  let last: Part | undefined;
  let written = 0;
  try {
    for await (const part of splitIntoParts(bytes, buffers, abortSignal)) {
      written += part.bytes.length;
      if (!multipart && part.bytes.length < partBytes) {
        last = part;
        continue;
      }
      multipart ??= await openMultipart(client, {
        key,
        failureMessage,
        writeIdHeaders: commit.writeIdHeaders,
        signal: abortSignal,
      });
      await parts.send(multipart, part, abortSignal);
    }
    await parts.all();
    if (multipart) await multipart.complete(commit, signal);
    else await putObject(commit, { key, failureMessage, signal, bytes: last?.bytes ?? new Uint8Array() });
    if (last) buffers.release(last.buffer);
    return written;
  } catch (error) {
    partFailure.abort(error);
    await parts.settled();
    await multipart?.abort();
    throw error;
  }
}

async function putObject(
  commit: Commit,
  request: {
    readonly key: string;
    readonly failureMessage: string;
    readonly signal: AbortSignal;
    readonly bytes: Uint8Array;
  },
): Promise<void> {
  const { key, failureMessage, signal, bytes } = request;
  const body = { bytes, sha256: await computeSha256(bytes) };
  await commit.run({ failureMessage, method: 'PUT', key, body, signal, headers: commit.writeIdHeaders });
}
