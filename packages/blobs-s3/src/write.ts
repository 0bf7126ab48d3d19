import type { S3Client } from './client.ts';
import { commitOf } from './commit.ts';
import type { Commit, Conditions } from './commit.ts';
import { openMultipart } from './multipart.ts';
import type { Multipart } from './multipart.ts';
import { partsInFlight } from './parts-in-flight.ts';
import { partsOf, sha256Of } from './parts.ts';
import type { Part, PartMemory } from './parts.ts';
import type { Semaphore } from '@modelwire/ports';

export interface Writing {
  readonly client: S3Client;
  readonly memory: PartMemory;
  readonly semaphore: Semaphore;
  readonly conditions: Conditions;
  readonly partBytes: number;
}

/** Uploads less than one part in a single request, anything larger in parts, while the next part is read from the source. */
export async function writeBlob(
  writing: Writing,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { client, memory, conditions, partBytes } = writing;
  const doing = `bytes under '${key}' cannot be written`;
  const commit = commitOf(client, conditions, key, doing);
  const failing = new AbortController();
  const parts = partsInFlight(memory, writing.semaphore, failing);
  const ending = AbortSignal.any([signal, failing.signal]);
  let multipart: Multipart | undefined;
  let last: Part | undefined;
  let written = 0;
  try {
    for await (const part of partsOf(bytes, memory, ending)) {
      written += part.bytes.length;
      if (!multipart && part.bytes.length < partBytes) {
        last = part;
        continue;
      }
      multipart ??= await openMultipart(client, { key, doing, mark: commit.mark, signal: ending });
      await parts.send(multipart, part, ending);
    }
    await parts.all();
    if (multipart) await multipart.complete(commit, signal);
    else await putWhole(commit, { key, doing, signal, bytes: last?.bytes ?? new Uint8Array() });
    if (last) memory.giveBack(last.memory);
    return written;
  } catch (error) {
    failing.abort(error);
    await parts.settled();
    await multipart?.abandon();
    throw error;
  }
}

async function putWhole(
  commit: Commit,
  put: { readonly key: string; readonly doing: string; readonly signal: AbortSignal; readonly bytes: Uint8Array },
): Promise<void> {
  const { key, doing, signal, bytes } = put;
  const body = { bytes, sha256: await sha256Of(bytes) };
  await commit.run({ doing, method: 'PUT', key, body, signal, headers: commit.mark });
}
