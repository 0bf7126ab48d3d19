import type { BlobSegment } from '@modelwire/ports';
import { BATCH_INPUT_MAX_BYTES, BATCH_MAX_LINES } from '@modelwire/schema';
import type { Batch, BatchCreateParams } from '@modelwire/schema/types';
import { requestCancellation } from '../../batches/request-cancellation.ts';
import { startBatch } from '../../batches/start-batch.ts';
import { isLastKey, LineWaiting, startedBatches, startedByKey, startedId } from '../../batches/started-batches.ts';
import { hasEnded } from '../../batches/status.ts';
import type { BatchLine, Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState } from '../../errors.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import { discardBlobs, projectStores } from '../../media/files/storage.ts';
import { LineFiles } from './line-files.ts';
import type { LineFile } from './line-files.ts';

/** The lines of files with requests. */
export const requestFileLimits = { maxLines: BATCH_MAX_LINES, maxBytes: BATCH_INPUT_MAX_BYTES } as const;

type LineCall = Pick<Call, 'principal' | 'client'>;

/** Requests that the line of a batch runs as batches of its own. */
export interface LineRequests<Part> {
  readonly parts: readonly Part[];
  /** Writes the requests: the same ones each time, in the same order. */
  readonly write: (files: Pick<LineFiles<Part>, 'add'>) => Promise<void>;
  readonly describe: (part: Part) => Pick<BatchCreateParams, 'endpoint' | 'metadata'> & { readonly filename: string };
}

/**
 * The batches of the requests, in the order of their parts, when they have ended. Those that the line has not started yet are started; a line
 * that runs again after a crash continues with those that it had started. @throws LineWaiting while they run.
 */
export async function endedBatches<Part>(
  call: LineCall,
  line: BatchLine,
  requests: LineRequests<Part>,
  server: ServerContext,
): Promise<readonly Batch[]> {
  const { batches } = projectStores(call, server);
  const { started, areAllStarted } = await startedBatches(line, batches);
  const all = areAllStarted ? started : [...started, ...(await startOthers(call, { line, started }, requests, server))];
  const running = all.filter((batch) => !hasEnded(batch)).map(({ id }) => id);
  if (running.length > 0) throw new LineWaiting(running, batches);
  return all;
}

interface StartingLine {
  readonly line: BatchLine;
  /** The batches that it had started before a crash. */
  readonly started: readonly Batch[];
}

/** Starts the batches that the line has not started yet. They are the same each time, in the same order. */
async function startOthers<Part>(
  call: LineCall,
  { line, started }: StartingLine,
  requests: LineRequests<Part>,
  server: ServerContext,
): Promise<readonly Batch[]> {
  const { client, principal } = call;
  await server.storageQuota.assertHasSpace(principal);
  const { batches } = projectStores(call, server);
  const all = await writeFiles(call, requests, server);
  const unused = new Set(all.map(({ segment }) => segment.key));
  try {
    await assertSameRequests(started, all, call, server);
    const others = [...all.entries()].slice(started.length);
    const ids = new Map<number, string>();
    // All files first: a project without space starts no batch.
    for (const [index, { part, segment }] of others) {
      const id = await startedId('file-', line, index);
      ids.set(index, id);
      if (await storeFile(id, requests.describe(part).filename, segment, call, server)) unused.delete(segment.key);
    }
    const created: Batch[] = [];
    for (const [index, { part }] of others) {
      client.signal.throwIfAborted();
      const { endpoint, metadata } = requests.describe(part);
      const body = {
        input_file_id: ids.get(index) ?? '',
        endpoint,
        completion_window: '24h',
        metadata: { ...metadata, [startedByKey]: line.batch, ...(index === all.length - 1 && { [isLastKey]: 'true' }) },
      };
      const batch = await startBatch({ body, principal }, server, await startedId('batch_', line, index));
      // The cancellation of the line may have come before the batch existed.
      if (client.signal.aborted) await requestCancellation(batch.id, batches, server);
      created.push(batch);
    }
    return created;
  } finally {
    await discardBlobs(server, [...unused]);
  }
}

/**
 * Stores a file whose ID is that of an attempt before, or of one that runs at the same time: it is never removed here, and an equal one is kept.
 * Returns whether the file has these bytes.
 */
async function storeFile(
  id: string,
  filename: string,
  segment: BlobSegment,
  call: LineCall,
  server: ServerContext,
): Promise<boolean> {
  const { files } = projectStores(call, server);
  const find = async () => (await files.get(id))?.content.find(({ sha256 }) => sha256 === segment.sha256);
  if (await find()) return false;
  const record = newFile(server, {
    filename,
    purpose: 'batch',
    mediaType: 'application/jsonl',
    content: [segment],
    expiresAfter: lifetimeOf('batch', undefined),
  });
  try {
    const file = { ...record, file: { ...record.file, id } };
    await server.storageQuota.write(call.principal, (limit) => files.create(file, limit));
    return true;
  } catch (error) {
    const stored = await find();
    if (!stored) throw error;
    return stored.key === segment.key;
  }
}

/** @throws a 400 if batches were started with other requests: what they are made of has changed since. */
async function assertSameRequests(
  started: readonly Batch[],
  written: readonly LineFile<unknown>[],
  call: LineCall,
  server: ServerContext,
): Promise<void> {
  const { files } = projectStores(call, server);
  for (const [index, { id, input_file_id }] of started.entries()) {
    const input = await files.get(input_file_id);
    if (!input || input.content[0]?.sha256 !== written[index]?.segment.sha256)
      throw invalidState(
        `The requests of the batch '${id}' have changed since it was started. Send this request again.`,
      );
  }
}

async function writeFiles<Part>(
  { client }: LineCall,
  { parts, write }: LineRequests<Part>,
  server: ServerContext,
): Promise<readonly LineFile<Part>[]> {
  const files = new LineFiles<Part>(server, client.signal, requestFileLimits);
  try {
    await write(files);
    return await files.close(parts);
  } catch (error) {
    await files.discard();
    throw error;
  }
}
