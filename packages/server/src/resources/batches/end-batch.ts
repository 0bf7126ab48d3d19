import { BlobMissingError } from '@modelwire/ports';
import type { BatchRecord, BatchResult } from '@modelwire/ports';
import { cancelStarted } from '../../batches/started-batches.ts';
import { withStatus } from '../../batches/status.ts';
import type { BatchRun } from './batch-run.ts';
import { InputLostError, inputLines, parseValidatedLine, withInputError } from './input.ts';
import type { RunOutcome } from './run-lines.ts';
import { nowInSeconds } from '../../clock.ts';
import { withdrawSubmissions } from './withdraw.ts';
import { withResults, writeResults } from './write-results.ts';
import type { WrittenResults } from './write-results.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { errorLine } from './execute-line.ts';
import type { LineErrorCode } from './execute-line.ts';

/** Ends the lines of a batch: its next step writes the files. A batch that was cancelled has another next step. */
export async function endLines(run: BatchRun, record: BatchRecord, outcome: RunOutcome): Promise<void> {
  const { batch, version } = record;
  if (outcome === 'cancelled') return;
  if (outcome === 'expired') await withdrawSubmissions(run, record, batch.expires_at ?? 0);
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
  if (hasLines) await withdrawSubmissions(run, record, record.batch.cancelling_at ?? 0);
  const batch = hasLines ? await failRemainingLines(run, record.batch, 'batch_cancelled') : record.batch;
  await endBatch(run, record, (results) => withStatus(withResults(batch, results), 'cancelled', run.server.clock));
}

/** Fails a batch with the results so far. */
export async function failWithLostInput(run: BatchRun, record: BatchRecord, error: InputLostError): Promise<void> {
  await withdrawSubmissions(run, record, nowInSeconds(run.server.clock));
  const batch = withInputError(record.batch, error);
  await endBatch(run, record, (results) => withStatus(withResults(batch, results), 'failed', run.server.clock));
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

/** Results per commit. */
const resultsPerCommit = 500;

/**
 * Stores an error result for every line without a result, as long as the input file can be read. After a crash it resumes at the first line
 * without a result. Returns the batch, with an error that says why lines have no result if some have none.
 */
async function failRemainingLines(
  run: BatchRun,
  batch: BatchRecord['batch'],
  reason: LineErrorCode,
): Promise<BatchRecord['batch']> {
  const completedLines = new Set(await run.batches.linesWithResults(batch.id));
  if (completedLines.size === batch.request_counts?.total) return batch;
  let lost: InputLostError | undefined;
  let pending: BatchResult[] = [];
  async function storePending(): Promise<void> {
    run.signal.throwIfAborted();
    if (pending.length > 0 && (await run.batches.addResults(batch.id, run.lease, pending)) === undefined)
      throw new JobAborted('lost');
    pending = [];
  }
  let line = -1;
  try {
    for await (const { text } of inputLines(run, batch)) {
      line++;
      if (text === undefined || completedLines.has(line)) continue;
      const customId = await customIdOf(text);
      if (customId === undefined) {
        lost = new InputLostError('content_corrupted');
        continue;
      }
      await cancelStarted({ batch: batch.id, customId }, batch.endpoint, run.batches, run.server);
      pending.push({ line, failed: true, text: errorLine(customId, reason, run.server.createId) });
      if (pending.length === resultsPerCommit) await storePending();
    }
  } catch (error) {
    // Without the input file the custom IDs of the remaining lines are unknown, also if it is damaged. The batch has ended: do not wait for the bytes to return.
    if (!(error instanceof InputLostError || error instanceof BlobMissingError)) throw error;
    lost = error instanceof InputLostError ? error : new InputLostError('content_corrupted');
  }
  await storePending();
  return lost ? withInputError(batch, lost) : batch;
}

/** Undefined for a line that has changed since validation, for instance because of a disk error. It must not prevent the batch from ending. */
async function customIdOf(text: string): Promise<string | undefined> {
  try {
    return (await parseValidatedLine(text)).custom_id;
  } catch {
    return undefined;
  }
}
