import type { BatchRecord } from '@modelwire/ports';
import { withStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { failRemainingLines } from './fail-remaining-lines.ts';
import type { InputLostError } from './input.ts';
import { withInputError } from './input.ts';
import type { RunOutcome } from './run-lines.ts';
import { withResults, writeResults } from './write-results.ts';
import type { WrittenResults } from './write-results.ts';

/** Ends the lines of a batch: its next step writes the files. A batch that was cancelled has another next step. */
export async function endLines(run: BatchRun, { batch, version }: BatchRecord, outcome: RunOutcome): Promise<void> {
  if (outcome === 'cancelled') return;
  const ended = outcome === 'expired' ? await failRemainingLines(run, batch, 'batch_expired') : batch;
  await run.batches.replace(withStatus(ended, 'finalizing', run.server.clock), { version, lease: run.lease });
}

export function finalize(run: BatchRun, record: BatchRecord): Promise<void> {
  return endBatch(run, record, (results) => {
    const batch = withResults(record.batch, results);
    return withStatus(
      batch,
      results.expired || hasMissingResults(record, results) ? 'expired' : 'completed',
      run.server.clock,
    );
  });
}

export async function finishCancellation(run: BatchRun, record: BatchRecord): Promise<void> {
  // A batch that was never validated has no known lines.
  const hasLines = record.batch.in_progress_at !== null;
  const batch = hasLines ? await failRemainingLines(run, record.batch, 'batch_cancelled') : record.batch;
  await endBatch(run, record, (results) => withStatus(withResults(batch, results), 'cancelled', run.server.clock));
}

/** Fails a batch with the results so far. */
export function failWithLostInput(run: BatchRun, record: BatchRecord, error: InputLostError): Promise<void> {
  const batch = withInputError(record.batch, error);
  return endBatch(run, record, (results) => withStatus(withResults(batch, results), 'failed', run.server.clock));
}

/** Whether lines have no result, because the input file could not be read to their custom IDs. */
function hasMissingResults({ batch }: Pick<BatchRecord, 'batch'>, { completed, failed }: WrittenResults): boolean {
  return completed + failed < (batch.request_counts?.total ?? 0);
}

/** Writes the result files and ends the batch in one commit. */
async function endBatch(
  run: BatchRun,
  record: BatchRecord,
  toEnded: (results: WrittenResults) => BatchRecord['batch'],
): Promise<void> {
  const results = await writeResults(run, record);
  const files = [results.output, results.error].filter((file) => file !== undefined);
  let ended = false;
  try {
    ended = await run.batches.end(toEnded(results), { version: record.version, lease: run.lease, files });
  } finally {
    if (!ended) await results.discard();
  }
}
