import { BATCH_INPUT_MAX_BYTES, BATCH_MAX_LINES } from '@modelwire/schema';
import type { Batch, ComparisonScorer, DatasetCompareParams } from '@modelwire/schema/types';
import { startBatch } from '../../batches/start-batch.ts';
import {
  isLastKey,
  LineWaiting,
  scorerKey,
  startedBatches,
  startedBatchId,
  startedByKey,
} from '../../batches/started-batches.ts';
import { hasEnded } from '../../batches/status.ts';
import type { BatchLine, Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState } from '../../errors.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import { projectStores } from '../../media/files/storage.ts';
import { LineFiles } from './line-files.ts';
import type { LineFile } from './line-files.ts';
import { caseOf, replyPairs } from './reply-pairs.ts';
import { requestsOf } from './scorers.ts';
import type { ModelScorer, ScorerRequest } from './scorers.ts';
import { storeFiles } from './store-files.ts';

type CompareCall = Call<DatasetCompareParams>;

/** The lines of files with requests. */
export const requestFileLimits = { maxLines: BATCH_MAX_LINES, maxBytes: BATCH_INPUT_MAX_BYTES } as const;

export function requestLine({ custom_id, url, body }: ScorerRequest): string {
  return JSON.stringify({ custom_id, method: 'POST', url, body });
}

/**
 * The scorers of a comparison. In a batch, those that need the results of requests have them: the line starts batches of these requests, and
 * waits for them. @throws LineWaiting while they run.
 */
export async function scorersOf(call: CompareCall, server: ServerContext): Promise<readonly ComparisonScorer[]> {
  const { scorers = [{ type: 'exact' }] } = call.body;
  const { batchLine } = call;
  if (!batchLine || !scorers.some(lacksResults)) return scorers;
  const { batches } = projectStores(call, server);
  const { started, areAllStarted } = await startedBatches(batchLine, batches);
  const all = areAllStarted
    ? started
    : [...started, ...(await startOthers(call, scorers, { batchLine, started }, server))];
  const running = all.filter((batch) => !hasEnded(batch)).map(({ id }) => id);
  if (running.length > 0) throw new LineWaiting(running, batches);
  const idsOf = (index: number) =>
    all.filter(({ metadata }) => metadata?.[scorerKey] === String(index)).map(({ id }) => id);
  return scorers.map((scorer, index) => (lacksResults(scorer) ? { ...scorer, batch_ids: idsOf(index) } : scorer));
}

function lacksResults(scorer: ComparisonScorer): scorer is ModelScorer {
  return (scorer.type === 'judge' || scorer.type === 'embedding') && !scorer.batch_ids;
}

interface Line {
  readonly batchLine: BatchLine;
  /** The batches that it had started before a crash. */
  readonly started: readonly Batch[];
}

/** Starts the batches that the line has not started yet. They are the same each time, in the same order. */
async function startOthers(
  call: CompareCall,
  scorers: readonly ComparisonScorer[],
  { batchLine, started }: Line,
  server: ServerContext,
): Promise<readonly Batch[]> {
  const { body, client, principal } = call;
  const { name = 'comparison' } = body;
  const all = await writeRequests(call, scorers, server);
  await assertSameRequests(started, all, call, server);
  const written = all.slice(started.length);
  const files = written.map(({ part, segment }) => ({
    part,
    record: newFile(server, {
      filename: `${name}-requests-${part + 1}.jsonl`,
      purpose: 'batch',
      mediaType: 'application/jsonl',
      content: [segment],
      expiresAfter: lifetimeOf('batch', undefined),
    }),
  }));
  await storeFiles(
    call,
    server,
    files.map(({ record }) => record),
  );
  const created: Batch[] = [];
  for (const [index, { part, record }] of files.entries()) {
    client.signal.throwIfAborted();
    const type = scorers[part]?.type;
    const params = {
      input_file_id: record.file.id,
      endpoint: type === 'embedding' ? '/v1/embeddings' : '/v1/chat/completions',
      completion_window: '24h',
      metadata: {
        name: `${name}: ${type}`,
        [startedByKey]: batchLine.batch,
        [scorerKey]: String(part),
        ...(index === files.length - 1 && { [isLastKey]: 'true' }),
      },
    } as const;
    const id = await startedBatchId(batchLine, started.length + index);
    created.push(await startBatch({ body: params, principal }, server, id));
  }
  return created;
}

/** @throws a 400 if batches were started with other requests: what is compared has changed since. */
async function assertSameRequests(
  started: readonly Batch[],
  written: readonly LineFile<number>[],
  call: CompareCall,
  server: ServerContext,
): Promise<void> {
  const { files } = projectStores(call, server);
  for (const [index, { id, input_file_id }] of started.entries()) {
    const input = await files.get(input_file_id);
    if (!input || input.content[0]?.sha256 !== written[index]?.segment.sha256)
      throw invalidState(`The requests of the batch '${id}' are no longer those of the comparison. Compare again.`);
  }
}

/** The requests of the scorers that lack results, in files by the index of the scorer. */
async function writeRequests(call: CompareCall, scorers: readonly ComparisonScorer[], server: ServerContext) {
  const files = new LineFiles<number>(server, call.client.signal, requestFileLimits);
  try {
    for await (const pair of replyPairs(call, server)) {
      const compared = caseOf(pair);
      if (!compared) continue;
      for (const [index, scorer] of scorers.entries())
        for (const request of lacksResults(scorer) ? requestsOf(scorer, compared) : [])
          await files.add(index, requestLine(request));
    }
    return await files.close(scorers.map((_, index) => index));
  } catch (error) {
    await files.discard();
    throw error;
  }
}
