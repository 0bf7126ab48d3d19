import type { BatchError } from '@modelwire/schema/types';
import { JobAborted } from '../../jobs/job-aborted.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import type { ServerContext } from '../../context.ts';
import type { BatchRecord, Blobs, Stores } from '@modelwire/ports';
import { watch } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { maxCrashes, suspectsOf } from '../../jobs/suspects.ts';
import { requiredParameters } from '../../http/batch-endpoints.ts';
import { fillRest } from './fill-rest.ts';
import { InputGoneError, inputLines } from './input.ts';
import { lineMemory } from './line-memory.ts';
import { createFairSemaphore } from '../../limits/fair-semaphore.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { runLines } from './run-lines.ts';
import type { BatchSettings } from '../../option-types.ts';
import { maxConcurrentBatches, maxUrgentBatches } from './settings.ts';
import { moved } from './states.ts';
import { validate } from './validate.ts';
import type { Validation } from './validate.ts';
import { withResults, writeResults } from './write-results.ts';
import type { WrittenResults } from './write-results.ts';
import { now } from '../../sources.ts';

interface BatchJobsInit {
  readonly stores: Stores;
  readonly blobs: Blobs;
  readonly settings: BatchSettings;
  /** One turn, for what may have crashed a worker. */
  readonly quarantine: FairSemaphore;
}

/** Runs batches to their end, from whatever state they are found in. */
export function batchJobs(server: ServerContext, { stores, blobs, settings, quarantine }: BatchJobsInit): JobHandler {
  const turns = createFairSemaphore(settings.concurrency);
  const memory = lineMemory({ most: server.options.maxBufferedBytes, longest: server.options.maxBodyBytes });
  return {
    concurrency: maxConcurrentBatches,
    maxPerProject: settings.maxPerProject,
    urgentConcurrency: maxUrgentBatches,
    // Nobody has begun it in its window: there is nothing left to do but to say that it has expired.
    urgentAfterMs: settings.windowSeconds * 1000,
    drains: true,
    async run(lease, signal, waits) {
      const { batches, files } = stores.project(lease.project);
      let record = await batches.get(lease.id);
      const run: BatchRun = {
        server,
        settings,
        lease,
        jobs: stores.jobs,
        crashedIn: lease.crashes > 0 ? record?.batch.status : undefined,
        signal,
        waits,
        batches,
        files,
        ledger: stores.ledger,
        blobs,
        turns,
        quarantine,
        memory,
      };
      let before: number | undefined;
      for (;;) {
        signal.throwIfAborted();
        const step = record && steps[record.batch.status];
        if (!record || !step) return;
        // A step that changed nothing, though nobody else did either, has no right to.
        if (record.version === before) throw new JobAborted('lost');
        before = record.version;
        await step(run, record);
        record = await batches.get(lease.id);
      }
    },
  };
}

/** What is done in each state; a step ends with a write that only counts when nothing has changed since. */
type Step = (run: BatchRun, record: BatchRecord) => Promise<unknown>;

const steps: Readonly<Record<string, Step | undefined>> = {
  validating: validating,
  in_progress: inProgress,
  finalizing: finalizing,
  cancelling: cancelling,
};

async function validating(run: BatchRun, record: BatchRecord): Promise<void> {
  const { batches, lease } = run;
  const { batch, version } = record;
  if (isOver(record)) {
    await batches.end(moved(batch, 'expired'), { version, lease, files: [] });
    return;
  }
  const suspects = await suspectsOf({
    jobs: run.jobs,
    lease,
    atWork: () => (run.crashedIn === 'validating' ? [wholeInput] : []),
    isDone: () => false,
    report: run.server.options.report,
  });
  const crashes = suspects.crashesOf(wholeInput);
  if (crashes >= maxCrashes) {
    const errors = { object: 'list', data: [inputCrashes] };
    await batches.end(moved({ ...batch, errors }, 'failed'), { version, lease, files: [] });
    return;
  }
  const leave = crashes > 0 ? await run.quarantine.acquire(lease.project, run.signal) : undefined;
  if (leave) await suspects.begin(wholeInput);
  const cancel = new AbortController();
  const unwatch = watch(run, record, () => cancel.abort());
  const signal = AbortSignal.any([run.signal, cancel.signal]);
  let found: Validation;
  try {
    const { maxBodyBytes: maxBytes, unknownFields } = run.server.options;
    found = await validate(inputLines(run, batch), {
      endpoint: batch.endpoint,
      required: requiredParameters(batch.endpoint, run.server.options.defaultModel),
      maxBytes,
      unknownFields,
      signal,
    });
  } catch (error) {
    if (!(error instanceof InputGoneError)) {
      // A client cancelled it: the next step sees that.
      if (cancel.signal.aborted && !run.signal.aborted) return;
      throw error;
    }
    found = { ok: false, errors: [inputGone(error)] };
  } finally {
    unwatch();
    if (leave) await suspects.end();
    leave?.();
  }
  if (found.ok) {
    const { model, total } = found;
    const next = { ...batch, model, request_counts: { total, completed: 0, failed: 0 } };
    await batches.replace(moved(next, 'in_progress'), { version, lease });
  } else {
    const errors = { object: 'list', data: [...found.errors] };
    await batches.end(moved({ ...batch, errors }, 'failed'), { version, lease, files: [] });
  }
}

/** The suspect that checking the input is, beside the lines: they count from 0. */
const wholeInput = -1;
const inputCrashes: BatchError = {
  code: 'worker_crashed',
  line: null,
  message: `Checking the input file crashed the server ${maxCrashes} times.`,
  param: 'input_file_id',
};

async function inProgress(run: BatchRun, record: BatchRecord): Promise<void> {
  const { batch, version } = record;
  try {
    const ended = isOver(record) ? 'expired' : await runLines(run, record);
    if (ended === 'cancelled') return;
    if (ended === 'expired') await fillRest(run, batch, 'batch_expired');
    await run.batches.replace(moved(batch, 'finalizing'), { version, lease: run.lease });
  } catch (error) {
    if (!(error instanceof InputGoneError)) throw error;
    const errors = { object: 'list', data: [inputGone(error)] };
    await end(run, record, (results) => moved(withResults({ ...batch, errors }, results), 'failed'));
  }
}

function finalizing(run: BatchRun, record: BatchRecord): Promise<void> {
  return end(run, record, (results) => {
    const batch = withShortfall(withResults(record.batch, results), results);
    return moved(batch, results.expired || isShort(record, results) ? 'expired' : 'completed');
  });
}

async function cancelling(run: BatchRun, record: BatchRecord): Promise<void> {
  // Before it was validated nobody knows its lines.
  if (record.batch.in_progress_at !== null) await fillRest(run, record.batch, 'batch_cancelled');
  await end(run, record, (results) => moved(withShortfall(withResults(record.batch, results), results), 'cancelled'));
}

/** Whether lines have no result: their input was gone before they could be named. */
function isShort({ batch }: Pick<BatchRecord, 'batch'>, { completed, failed }: WrittenResults): boolean {
  return completed + failed < (batch.request_counts?.total ?? 0);
}

/** The batch, saying why lines of it are in neither file. */
function withShortfall(batch: BatchRecord['batch'], results: WrittenResults): BatchRecord['batch'] {
  if (!isShort({ batch }, results)) return batch;
  return { ...batch, errors: { object: 'list', data: [inputGone(new InputGoneError())] } };
}

/** Writes its files and ends the batch, in one commit. */
async function end(
  run: BatchRun,
  record: BatchRecord,
  last: (results: WrittenResults) => BatchRecord['batch'],
): Promise<void> {
  const results = await writeResults(run, record);
  const files = [results.output, results.error].filter((file) => file !== undefined);
  let ended = false;
  try {
    ended = await run.batches.end(last(results), { version: record.version, lease: run.lease, files });
  } finally {
    if (!ended) await results.discard();
  }
}

function isOver({ batch }: BatchRecord): boolean {
  return now() >= (batch.expires_at ?? 0) * 1000;
}

function inputGone({ message }: InputGoneError): BatchError {
  return { code: 'input_file_deleted', line: null, message, param: 'input_file_id' };
}
