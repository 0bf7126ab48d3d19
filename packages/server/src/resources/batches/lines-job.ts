import type { Batch } from '@modelwire/schema/types';
import type { BatchObservation, BatchRecord } from '@modelwire/ports';
import type { GuardedJob, JobGuard } from '../../jobs/guarded-job.ts';
import { cancelWithoutAccess, stepGuard } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { firstConcurrency } from '../../limits/line-slots.ts';
import { endLines, failWithLostInput } from './end-batch.ts';
import { InputLostError } from './input.ts';
import { minWindow } from './line-window.ts';
import { linesIn } from './prepared-lines.ts';
import { linePlanOf } from './read-lines.ts';
import { runLines } from './run-lines.ts';
import { createWaitingNotice } from './waiting-notice.ts';

/** Runs the lines of a batch. Each line is a unit of work. */
export async function linesJob(run: BatchRun, record: BatchRecord): Promise<GuardedJob<BatchObservation | undefined>> {
  const { server, batches } = run;
  const { batch } = record;
  const completedLines = new Set(await batches.linesWithResults(batch.id));
  const { submissions } = await batches.forwarding(batch.id);
  const submittedLines = new Set(submissions.flatMap(({ lines: ranges }) => linesIn(ranges)));
  const lines = (batch.request_counts?.total ?? 0) - completedLines.size;
  const isOpen = (isSuspect: (line: number) => boolean) => (line: number) =>
    !completedLines.has(line) && !submittedLines.has(line) && !isSuspect(line);
  return {
    ...stepGuard(record, run),
    units: {
      runningAtCrash: (isSuspect, window = minWindow(firstConcurrency(server.options))) =>
        firstLines(run, batch, window, isOpen(isSuspect)),
      // Units below 0 are those of validation.
      isDone: (line) => line < 0 || completedLines.has(line),
      isolation: 'each',
    },
    async observe(_signal, runObserved) {
      const observation = server.options.observer?.startBatch?.({ batch: batch.id, lines });
      try {
        await runObserved(observation);
      } finally {
        observation?.end();
      }
    },
    run: (guard) => processLines({ ...run, signal: guard.signal }, record, { guard, completedLines }),
    fail: (end) => cancelWithoutAccess(run, end),
  };
}

interface LinesInit {
  readonly guard: JobGuard<BatchObservation | undefined>;
  readonly completedLines: ReadonlySet<number>;
}

async function processLines(run: BatchRun, record: BatchRecord, init: LinesInit): Promise<void> {
  const notice = createWaitingNotice({
    batch: record.batch,
    version: record.version,
    store: (changed, version) => run.batches.replace(changed, { version, lease: run.lease }),
    report: run.server.options.report,
    clock: run.server.clock,
  });
  const current = (): BatchRecord => ({ ...record, version: notice.version() });
  try {
    const outcome = await runLines(run, record, { ...init, notice });
    await endLines(run, current(), outcome);
  } catch (error) {
    if (!(error instanceof InputLostError)) throw error;
    await failWithLostInput(run, current(), error);
  }
}

/**
 * The first `count` lines without a result. Lines are started in the order of the plan and their number is limited, so these include all lines
 * that were running when the worker crashed.
 */
async function firstLines(
  run: BatchRun,
  batch: Batch,
  count: number,
  isUnanswered: (line: number) => boolean,
): Promise<readonly number[]> {
  try {
    const { order } = await linePlanOf(run, batch);
    return order.filter(isUnanswered).slice(0, count);
  } catch (error) {
    // No line will run.
    if (error instanceof InputLostError) return [];
    throw error;
  }
}
