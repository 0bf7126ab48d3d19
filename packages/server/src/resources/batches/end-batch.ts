import type { BatchError } from '@modelwire/schema/types';
import type { BatchRecord } from '@modelwire/ports';
import { withStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { failRemainingLines } from './fail-remaining-lines.ts';
import { InputLostError } from './input.ts';
import type { RunOutcome } from './run-lines.ts';
import { withResults, writeResults } from './write-results.ts';
import type { WrittenResults } from './write-results.ts';

/** Ends the lines of a batch: its next step writes the files. A batch that was cancelled has another next step. */
export async function endLines(run: BatchRun, { batch, version }: BatchRecord, outcome: RunOutcome): Promise<void> {
  if (outcome === 'cancelled') return;
  if (outcome === 'expired') await failRemainingLines(run, batch, 'batch_expired');
  await run.batches.replace(withStatus(batch, 'finalizing'), { version, lease: run.lease });
}

export function finalize(run: BatchRun, record: BatchRecord): Promise<void> {
  return endBatch(run, record, (results) => {
    const batch = withMissingResultsError(withResults(record.batch, results), results);
    return withStatus(batch, results.expired || hasMissingResults(record, results) ? 'expired' : 'completed');
  });
}

export async function finishCancellation(run: BatchRun, record: BatchRecord): Promise<void> {
  // A batch that was never validated has no known lines.
  if (record.batch.in_progress_at !== null) await failRemainingLines(run, record.batch, 'batch_cancelled');
  await endBatch(run, record, (results) =>
    withStatus(withMissingResultsError(withResults(record.batch, results), results), 'cancelled'),
  );
}

/** Fails a batch with the results so far. */
export function failWithLostInput(run: BatchRun, record: BatchRecord, error: InputLostError): Promise<void> {
  const batch = { ...record.batch, errors: { object: 'list', data: [inputLost(error)] } };
  return endBatch(run, record, (results) => withStatus(withResults(batch, results), 'failed'));
}

/** The entry in the errors of a batch. */
export function inputLost({ code, message }: InputLostError): BatchError {
  return { code, line: null, message, param: 'input_file_id' };
}

/** Whether lines have no result, because the input file was deleted before their custom IDs were read. */
function hasMissingResults({ batch }: Pick<BatchRecord, 'batch'>, { completed, failed }: WrittenResults): boolean {
  return completed + failed < (batch.request_counts?.total ?? 0);
}

/** The batch with an error that says why lines are in neither file. */
function withMissingResultsError(batch: BatchRecord['batch'], results: WrittenResults): BatchRecord['batch'] {
  if (!hasMissingResults({ batch }, results)) return batch;
  const data = [...(batch.errors?.data ?? []), inputLost(new InputLostError('input_file_deleted'))];
  return { ...batch, errors: { object: 'list', data } };
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
