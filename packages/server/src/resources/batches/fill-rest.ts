import type { Batch } from '@modelwire/schema/types';
import { JobAborted } from '../../jobs/job-aborted.ts';
import type { BatchResult } from '@modelwire/ports';
import { BlobMissingError } from '@modelwire/ports';
import type { BatchRun } from './batch-run.ts';
import { InputGoneError, inputLines } from './input.ts';
import { lineOf } from './input-line.ts';
import { unansweredLine } from './output-line.ts';
import type { Unanswered } from './output-line.ts';

/** Results that one commit keeps. */
const group = 500;

/** Records a reason for every line without a result, as long as the input file exists. When repeated after a crash, it resumes at the first line without one. */
export async function fillRest(run: BatchRun, batch: Batch, why: Unanswered): Promise<void> {
  const answered = new Set(await run.batches.answeredLines(batch.id));
  if (answered.size === batch.request_counts?.total) return;
  let some: BatchResult[] = [];
  async function keep(): Promise<void> {
    run.signal.throwIfAborted();
    if (some.length > 0 && (await run.batches.addResults(batch.id, run.lease, some)) === undefined)
      throw new JobAborted('lost');
    some = [];
  }
  let line = -1;
  try {
    for await (const { text } of inputLines(run, batch)) {
      line++;
      if (text === undefined || answered.has(line)) continue;
      const name = nameOf(text);
      if (name === undefined) continue;
      some.push({ line, failed: true, text: unansweredLine(name, why) });
      if (some.length === group) await keep();
    }
  } catch (error) {
    // Nobody knows any more what the rest was called, and the batch is over: it waits for no bytes to come back.
    if (!(error instanceof InputGoneError || error instanceof BlobMissingError)) throw error;
  }
  await keep();
}

/** Undefined for a line that is not what it was when it was validated: a disk may have lost it. It does not keep the batch from its end. */
function nameOf(text: string): string | undefined {
  try {
    return lineOf(text).custom_id;
  } catch {
    return undefined;
  }
}
