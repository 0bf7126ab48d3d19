import { JobAborted } from '../../jobs/job-aborted.ts';
import { BlobMissingError } from '@modelwire/ports';
import type { BatchRecord, BatchResult } from '@modelwire/ports';
import type { BatchRun } from './batch-run.ts';
import { InputLostError, inputLines, parseValidatedLine, withInputError } from './input.ts';
import { errorLine } from './execute-line.ts';
import type { LineErrorCode } from './execute-line.ts';

/** Results per commit. */
const resultsPerCommit = 500;

/**
 * Stores an error result for every line without a result, as long as the input file can be read. After a crash it resumes at the first line
 * without a result. Returns the batch, with an error that says why lines have no result if some have none.
 */
export async function failRemainingLines(
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
