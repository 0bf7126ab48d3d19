import type { BatchError } from '@modelwire/schema/types';
import { JobAborted } from '../../jobs/job-aborted.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import type { ServerContext } from '../../context.ts';
import type { BatchRecord, Blobs, Stores } from '@modelwire/ports';
import { cancelWithoutAccess } from './cancel-without-access.ts';
import { withStatus } from './batch-run.ts';
import { watchStatus } from './watch-status.ts';
import type { BatchRun } from './batch-run.ts';
import { runUnit } from '../../jobs/quarantine.ts';
import { maxCrashes, loadSuspects } from '../../jobs/recovery.ts';
import type { Suspects } from '../../jobs/recovery.ts';
import { failRemainingLines } from './fail-remaining-lines.ts';
import { InputLostError, inputLines, validate, requiredParameters } from './input.ts';
import type { Validation } from './input.ts';
import { createLineMemory } from './line-memory.ts';
import { createFairSemaphore } from '../../limits/fair-semaphore.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { runLines } from './run-lines.ts';
import type { BatchSettings } from '../../option-types.ts';
import { maxConcurrentBatches, maxUrgentBatches } from './settings.ts';
import { createWaitingNotice } from './waiting-notice.ts';
import { withResults, writeResults } from './write-results.ts';
import type { WrittenResults } from './write-results.ts';
import { inputCrashError, inputUnit, recordProgress, validationCrashes } from './validation-progress.ts';
import { now } from '../../clock.ts';

interface BatchJobsInit {
  readonly stores: Stores;
  readonly blobs: Blobs;
  readonly settings: BatchSettings;
  /** One permit, for work that may have crashed a worker. */
  readonly quarantine: FairSemaphore;
}

/** Runs batches to their end, starting from their stored status. */
export function batchJobs(server: ServerContext, { stores, blobs, settings, quarantine }: BatchJobsInit): JobHandler {
  const slots = createFairSemaphore(settings.concurrency);
  const memory = createLineMemory({
    maxLength: server.options.maxBufferedBytes,
    maxLineLength: server.options.maxBodyBytes,
  });
  return {
    concurrency: maxConcurrentBatches,
    maxPerProject: settings.maxPerProject,
    extraUrgentConcurrency: maxUrgentBatches,
    // A batch that was not started before its window ended only has to be marked as expired.
    urgentAfterMs: settings.windowSeconds * 1000,
    canFinishOnStop: true,
    async run(lease, signal, setWaiting) {
      const { batches, files } = stores.project(lease.project);
      let record = await batches.get(lease.id);
      const run: BatchRun = {
        server,
        settings,
        lease,
        jobs: stores.jobs,
        statusAtCrash: lease.crashes > 0 ? record?.batch.status : undefined,
        signal,
        setWaiting,
        batches,
        files,
        ledger: stores.ledger,
        blobs,
        slots,
        quarantine,
        memory,
      };
      let previousVersion: number | undefined;
      for (;;) {
        signal.throwIfAborted();
        const step = record && steps[record.batch.status];
        if (!record || !step) return;
        // A step that did not change the version has lost its lease.
        if (record.version === previousVersion) throw new JobAborted('lost');
        previousVersion = record.version;
        if (!(await cancelWithoutAccess(run, record))) await step(run, record);
        record = await batches.get(lease.id);
      }
    },
  };
}

/** The work for each status. A step ends with a write that has no effect if the batch has changed since it was read. */
type Step = (run: BatchRun, record: BatchRecord) => Promise<unknown>;

const steps: Readonly<Record<string, Step | undefined>> = {
  validating: validateInput,
  in_progress: processLines,
  finalizing: finalize,
  cancelling: finishCancellation,
};

async function validateInput(run: BatchRun, record: BatchRecord): Promise<void> {
  const { batches, lease } = run;
  const { batch, version } = record;
  if (hasWindowEnded(record)) {
    await batches.end(withStatus(batch, 'expired'), { version, lease, files: [] });
    return;
  }
  const suspects = await loadSuspects({
    jobs: run.jobs,
    lease,
    runningAtCrash: () => (run.statusAtCrash === 'validating' ? [inputUnit] : []),
    isDone: () => false,
    report: run.server.options.report,
  });
  const crashes = validationCrashes(suspects);
  if (crashes === maxCrashes) {
    const errors = { object: 'list', data: [inputCrashError(suspects)] };
    await batches.end(withStatus({ ...batch, errors }, 'failed'), { version, lease, files: [] });
    return;
  }
  const { jobTimes: times } = run.server.options;
  const quarantined = { ...run, suspects, times, project: lease.project };
  const validation = await runUnit(quarantined, { unit: inputUnit, crashes }, () =>
    validateLines(run, record, crashes === undefined ? undefined : suspects),
  );
  // A client cancelled the batch: the next step handles that.
  if (validation === 'cancelled') return;
  if (validation.ok) {
    const { model, total } = validation;
    const next = { ...batch, model, request_counts: { total, completed: 0, failed: 0 } };
    await batches.replace(withStatus(next, 'in_progress'), { version, lease });
  } else {
    const errors = { object: 'list', data: [...validation.errors] };
    await batches.end(withStatus({ ...batch, errors }, 'failed'), { version, lease, files: [] });
  }
}

/** @param suspects Where progress is recorded, after a crash. */
async function validateLines(
  run: BatchRun,
  record: BatchRecord,
  suspects: Suspects | undefined,
): Promise<Validation | 'cancelled'> {
  const { batch } = record;
  const cancel = new AbortController();
  const stopWatching = watchStatus(run, record, () => cancel.abort());
  const signal = AbortSignal.any([run.signal, cancel.signal]);
  const lines = inputLines(run, batch);
  try {
    const { maxBodyBytes: maxBytes, unknownFields } = run.server.options;
    return await validate(suspects ? recordProgress(lines, suspects) : lines, {
      endpoint: batch.endpoint,
      required: requiredParameters(batch.endpoint, run.server.options.defaultModel),
      maxBytes,
      unknownFields,
      signal,
    });
  } catch (error) {
    if (error instanceof InputLostError) return { ok: false, errors: [inputLost(error)] };
    if (cancel.signal.aborted && !run.signal.aborted) return 'cancelled';
    throw error;
  } finally {
    stopWatching();
  }
}

async function processLines(run: BatchRun, record: BatchRecord): Promise<void> {
  const { batch } = record;
  const notice = createWaitingNotice({
    batch,
    version: record.version,
    store: (changed, version) => run.batches.replace(changed, { version, lease: run.lease }),
    report: run.server.options.report,
  });
  try {
    const outcome = hasWindowEnded(record) ? 'expired' : await runLines(run, record, notice);
    if (outcome === 'cancelled') return;
    if (outcome === 'expired') await failRemainingLines(run, batch, 'batch_expired');
    await run.batches.replace(withStatus(batch, 'finalizing'), { version: notice.version(), lease: run.lease });
  } catch (error) {
    if (!(error instanceof InputLostError)) throw error;
    const errors = { object: 'list', data: [inputLost(error)] };
    const current = { ...record, version: notice.version() };
    await endBatch(run, current, (results) => withStatus(withResults({ ...batch, errors }, results), 'failed'));
  }
}

function finalize(run: BatchRun, record: BatchRecord): Promise<void> {
  return endBatch(run, record, (results) => {
    const batch = withMissingResultsError(withResults(record.batch, results), results);
    return withStatus(batch, results.expired || hasMissingResults(record, results) ? 'expired' : 'completed');
  });
}

async function finishCancellation(run: BatchRun, record: BatchRecord): Promise<void> {
  // A batch that was never validated has no known lines.
  if (record.batch.in_progress_at !== null) await failRemainingLines(run, record.batch, 'batch_cancelled');
  await endBatch(run, record, (results) =>
    withStatus(withMissingResultsError(withResults(record.batch, results), results), 'cancelled'),
  );
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

function hasWindowEnded({ batch }: BatchRecord): boolean {
  return now() >= (batch.expires_at ?? 0) * 1000;
}

function inputLost({ code, message }: InputLostError): BatchError {
  return { code, line: null, message, param: 'input_file_id' };
}
