import type { Batch, MessageBatch, MessageBatchList } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidState, notFound } from '../../errors.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { splitLines } from '../../media/files/lines.ts';
import { readSegments } from '../../media/files/read-segments.ts';
import { blobDeletionDelayMs, projectStores } from '../../media/files/storage.ts';
import { storeLines } from '../../media/files/store-lines.ts';
import { openBytePipe } from '../../streaming/byte-pipe.ts';
import { cancelBatch } from './cancel.ts';
import { createBatch } from './create.ts';
import { hasEnded, messageBatch, messageBatchResult, messagesPath } from './message-batch.ts';
import type { FailureCounts } from './message-batch.ts';
import { batchOf } from './read.ts';

/** Seconds after which the files of a batch of messages are removed, as the API of Anthropic documents it. */
const resultSeconds = 29 * 86_400;

/** Batches of messages: batches whose endpoint is `/v1/messages`, with an input file that the server writes. */
export const messageBatches: HandlersOf<'messages.batches'> = {
  async 'messages.batches.create'(call, server) {
    const { requests } = call.body;
    const ids = new Set<string>();
    for (const [index, { custom_id: id }] of requests.entries()) {
      const path = `requests[${index}].custom_id`;
      if (ids.has(id)) throw invalid(path, `Invalid value for '${path}': an earlier request has this ID.`);
      ids.add(id);
    }
    const lines = requests.map(({ custom_id, params: body }) => ({
      custom_id,
      method: 'POST',
      url: messagesPath,
      body,
    }));
    const init = { filename: 'message-batch.jsonl', expiresAfter: resultSeconds };
    const input_file_id = await storeLines(lines, call, server, init);
    const body = {
      input_file_id,
      endpoint: messagesPath,
      completion_window: '24h',
      output_expires_after: { anchor: 'created_at', seconds: resultSeconds },
    } as const;
    const { body: batch } = await createBatch({ body, principal: call.principal }, server);
    const counted = { ...batch, request_counts: { total: requests.length, completed: 0, failed: 0 } };
    return { status: 200, body: messageBatch(counted, undefined, urlOf(call, batch.id)) };
  },

  async 'messages.batches.retrieve'(call, server) {
    return { status: 200, body: await wireBatch(await ownBatch(call, server), call, server) };
  },

  async 'messages.batches.cancel'(call, server) {
    const batch = await ownBatch(call, server);
    if (hasEnded(batch)) return { status: 200, body: await wireBatch(batch, call, server) };
    return { status: 200, body: await wireBatch((await cancelBatch(call, server)).body, call, server) };
  },

  async 'messages.batches.list'(call, server) {
    return { status: 200, body: await listPage(call, server) };
  },

  async 'messages.batches.results'(call, server) {
    const batch = await ownBatch(call, server);
    if (!hasEnded(batch)) throw invalidState('The batch has no results yet: wait until it has ended.');
    const { writeTimeoutMs: stallMs } = server.options;
    const encoder = new TextEncoder();
    async function* source(): AsyncGenerator<Uint8Array> {
      for await (const line of resultLines(batch, call, server))
        yield encoder.encode(`${JSON.stringify(messageBatchResult(line))}\n`);
    }
    const bytes = await openBytePipe({ source: source(), stallMs });
    return { status: 200, bytes, done: bytes.done, headers: { 'content-type': 'application/x-jsonl' } };
  },

  /** Deletes the batch and its files. */
  async 'messages.batches.delete'(call, server) {
    const batch = await ownBatch(call, server);
    if (!hasEnded(batch)) throw invalidState('The batch has not ended: cancel it first.');
    const { files } = projectStores(call, server);
    for (const id of [batch.input_file_id, ...filesOf(batch)]) await files.delete(id, blobDeletionDelayMs);
    await markDeleted(call, server);
    return { status: 200, body: { id: batch.id, type: 'message_batch_deleted' } };
  },
};

/** Records of batches remain: one that was deleted has this in its metadata, which batches of messages have no other use for. */
const deleted = { message_batch: 'deleted' };

async function markDeleted(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<void> {
  const { batch, version } = await batchOf(call, server);
  const isMarked = await projectStores(call, server).batches.replace({ ...batch, metadata: deleted }, { version });
  // Another request changed it in the meantime.
  if (!isMarked) await markDeleted(call, server);
}

function isMessageBatch({ endpoint, metadata }: Batch): boolean {
  return endpoint === messagesPath && metadata?.['message_batch'] !== deleted.message_batch;
}

type BatchCall = Pick<Call, 'params' | 'principal' | 'request' | 'header'>;

/** The batch that the path names. @throws a 404, also for a batch of another endpoint. */
async function ownBatch(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<Batch> {
  const { batch } = await batchOf(call, server);
  if (!isMessageBatch(batch)) throw notFound('batch', batch.id, 'batch_id');
  return batch;
}

async function wireBatch(batch: Batch, call: BatchCall, server: ServerContext): Promise<MessageBatch> {
  const failures = hasEnded(batch) ? await countFailures(batch, call, server) : undefined;
  return messageBatch(batch, failures, urlOf(call, batch.id));
}

/** Lines that were cancelled or expired are in the error file, beside those that failed. */
async function countFailures(
  batch: Batch,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<FailureCounts> {
  const counts = { errored: 0, canceled: 0, expired: 0 };
  if (batch.status === 'completed' || batch.error_file_id == null) {
    return { ...counts, errored: batch.request_counts?.failed ?? 0 };
  }
  for await (const line of resultLines({ ...batch, output_file_id: null }, call, server)) {
    const { type } = messageBatchResult(line).result;
    if (type !== 'succeeded') counts[type]++;
  }
  return counts;
}

function filesOf({ output_file_id: output, error_file_id: error }: Batch): string[] {
  return [output, error].filter((id) => typeof id === 'string');
}

/** The lines of the result files, of those that were not deleted. */
async function* resultLines(
  batch: Batch,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<string> {
  for (const id of filesOf(batch)) {
    const record = await projectStores(call, server).files.get(id);
    if (!record) continue;
    for await (const { text } of splitLines(readSegments(server, record.content), Infinity)) {
      if (text !== undefined) yield text;
    }
  }
}

/** Other batches are skipped, so a page is read in several steps. */
async function listPage(
  call: Call<undefined, { after_id?: string; before_id?: string; limit?: number }>,
  server: ServerContext,
): Promise<MessageBatchList> {
  const { after_id, before_id, limit = 20 } = call.query;
  const isBackwards = before_id !== undefined;
  const order = isBackwards ? 'asc' : 'desc';
  const { batches } = projectStores(call, server);
  const found: Batch[] = [];
  let after = before_id ?? after_id;
  for (let hasMore = true; hasMore && found.length <= limit;) {
    const page = await batches.list({ after, limit: 100, order });
    if (!page) {
      const field = isBackwards ? 'before_id' : 'after_id';
      throw invalid(field, `Invalid value for '${field}': there is no batch with this ID.`);
    }
    found.push(...page.items.filter(isMessageBatch));
    after = page.items.at(-1)?.id;
    hasMore = page.hasMore;
  }
  const items = found.slice(0, limit);
  if (isBackwards) items.reverse();
  const data: MessageBatch[] = [];
  for (const batch of items) data.push(await wireBatch(batch, call, server));
  return { data, has_more: found.length > limit, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

/** The address of a batch, as the client reaches the server. */
function urlOf({ request, header }: Pick<Call, 'request' | 'header'>, id: string): string {
  const path = (request.originalUrl ?? request.url).replace(/^https?:\/\/[^/?]*/i, '');
  const prefix = path.slice(0, path.indexOf('/messages/batches'));
  const host = header('host');
  const origin = host === null ? '' : `${header('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'}://${host}`;
  return `${origin}${prefix}/messages/batches/${id}`;
}
