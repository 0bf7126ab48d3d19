import type { FileRecord } from '@modelwire/ports';
import { BATCH_INPUT_MAX_BYTES, BATCH_MAX_LINES } from '@modelwire/schema';
import type { Batch, BatchCreateParams } from '@modelwire/schema/types';
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
import { storeFiles } from './store-files.ts';

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
  const all = await writeFiles(call, requests, server);
  await assertSameRequests(started, all, call, server);
  const others: { readonly index: number; readonly part: Part; readonly fileId: string }[] = [];
  const missing: FileRecord[] = [];
  for (const [index, { part, segment }] of all.entries()) {
    if (index < started.length) continue;
    const fileId = await startedId('file-', line, index);
    others.push({ index, part, fileId });
    const { files } = projectStores(call, server);
    const stored = await files.get(fileId);
    if (stored?.content[0]?.sha256 === segment.sha256) {
      // Stored before a crash that came before its batch was started.
      await discardBlobs(server, [segment.key]);
      continue;
    }
    const record = newFile(server, {
      filename: requests.describe(part).filename,
      purpose: 'batch',
      mediaType: 'application/jsonl',
      content: [segment],
      expiresAfter: lifetimeOf('batch', undefined),
    });
    missing.push({ ...record, file: { ...record.file, id: fileId } });
  }
  await storeFiles(call, server, missing);
  const created: Batch[] = [];
  for (const { index, part, fileId } of others) {
    client.signal.throwIfAborted();
    const { endpoint, metadata } = requests.describe(part);
    const body = {
      input_file_id: fileId,
      endpoint,
      completion_window: '24h',
      metadata: { ...metadata, [startedByKey]: line.batch, ...(index === all.length - 1 && { [isLastKey]: 'true' }) },
    };
    created.push(await startBatch({ body, principal }, server, await startedId('batch_', line, index)));
  }
  return created;
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
