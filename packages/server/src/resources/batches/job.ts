import { BATCH_MAX_WINDOW_SECONDS } from '@modelwire/schema/internal';
import { createByteBudget } from '../../limits/byte-budget.ts';
import { guardedJob } from '../../jobs/guarded-job.ts';
import type { ClaimedJob, GuardContext } from '../../jobs/guarded-job.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import type { ServerContext } from '../../context.ts';
import type { BatchRecord, Stores } from '@modelwire/ports';
import { withStatus } from '../../batches/status.ts';
import { hasWindowEnded } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { endLines, finalize, finishCancellation } from './end-batch.ts';
import { linesJob } from './lines-job.ts';
import { validationJob } from './validation-job.ts';

/** Maximum number of batches that a server runs at once. */
const maxConcurrentBatches = 32;
/** Maximum number of further batches: of those that were cancelled, and those whose windows end within the hour. */
const maxUrgentBatches = 8;

interface BatchJobsContext extends GuardContext {
  readonly server: ServerContext;
  readonly stores: Stores;
}

/** Runs batches to their end, starting from their stored status. */
export function batchJobs(context: BatchJobsContext): JobHandler {
  const { server, stores } = context;
  const { maxBatchesPerProject, maxBufferedBytes } = server.options;
  const memory = createByteBudget(maxBufferedBytes);

  /** The work for each status. A step ends with a write that has no effect if the batch has changed since it was read. */
  const steps: Readonly<Record<string, Step | undefined>> = {
    validating: (run, record, claim) =>
      hasWindowEnded(record, server.clock)
        ? expire(run, record)
        : guardedJob(context, claim, validationJob(run, record)),
    in_progress: async (run, record, claim) =>
      hasWindowEnded(record, server.clock)
        ? endLines(run, record, 'expired')
        : guardedJob(context, claim, await linesJob(run, record)),
    finalizing: finalize,
    cancelling: finishCancellation,
  };

  return {
    concurrency: maxConcurrentBatches,
    maxPerProject: maxBatchesPerProject,
    extraUrgentConcurrency: maxUrgentBatches,
    // A batch that was not started in its last hour may still make it, and one whose window has ended only has to be marked as expired.
    urgentAfterMs: (BATCH_MAX_WINDOW_SECONDS - 3600) * 1000,
    async run(lease, signal, setWaiting) {
      const { batches, files } = stores.project(lease.project);
      const run: BatchRun = { server, lease, signal, setWaiting, batches, files, memory, linePlan: {} };
      let claim: ClaimedJob = { lease, signal, setWaiting };
      let previousVersion: number | undefined;
      for (;;) {
        signal.throwIfAborted();
        const record = await batches.get(lease.id);
        const step = record && steps[record.batch.status];
        if (!step) return;
        // A step that did not change the version has lost its lease.
        if (record.version === previousVersion) throw new JobAborted('lost');
        previousVersion = record.version;
        await step(run, record, claim);
        // The crash before this claim was during its first step.
        claim = { ...claim, lease: { ...lease, crashes: 0, notes: undefined } };
      }
    },
  };
}

type Step = (run: BatchRun, record: BatchRecord, claim: ClaimedJob) => Promise<unknown>;

function expire({ batches, lease, server }: BatchRun, { batch, version }: BatchRecord): Promise<unknown> {
  return batches.end(withStatus(batch, 'expired', server.clock), { version, lease, files: [] });
}
