import type { BatchError } from '@modelwire/schema/types';
import type { BatchRecord } from '@modelwire/ports';
import { unobserved } from '../../jobs/guarded-job.ts';
import type { GuardedJob } from '../../jobs/guarded-job.ts';
import type { SplitLine } from '../../media/files/lines.ts';
import type { Suspects } from '../../jobs/suspects.ts';
import { withStatus } from '../../batches/status.ts';
import { cancelWithoutAccess, stepGuard, watchStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { InputLostError, inputError, inputLines, requiredParameters, validate } from './input.ts';
import type { Validation } from './input.ts';
import { maxCrashes } from '../../jobs/suspects.ts';

/** Validates the input of a batch. */
export function validationJob(run: BatchRun, record: BatchRecord): GuardedJob<undefined> {
  return {
    ...stepGuard(record, run),
    units: {
      runningAtCrash: () => [inputUnit],
      isDone: () => false,
      isolation: { first: inputUnit, crashMessage },
    },
    observe: unobserved,
    run: ({ signal, suspects }) => validateInput({ ...run, signal }, record, suspects),
    async fail(error) {
      const { code, message } = error;
      if (code === 'worker_crashed')
        await failBatch(run, record, [{ code, line: null, message, param: 'input_file_id' }]);
      else await cancelWithoutAccess(run, error);
    },
  };
}

async function validateInput(run: BatchRun, record: BatchRecord, suspects: Suspects): Promise<void> {
  const validation = await validateLines(run, record, suspects);
  // A client cancelled the batch: the next step handles that.
  if (validation === 'cancelled') return;
  if (!validation.ok) {
    await failBatch(run, record, validation.errors);
    return;
  }
  const { model, total, plan } = validation;
  run.linePlan.current = Promise.resolve(plan);
  const next = { ...record.batch, model, request_counts: { total, completed: 0, failed: 0 } };
  await run.batches.replace(withStatus(next, 'in_progress', run.server.clock), {
    version: record.version,
    lease: run.lease,
  });
}

async function validateLines(
  run: BatchRun,
  record: BatchRecord,
  suspects: Suspects,
): Promise<Validation | 'cancelled'> {
  const { batch } = record;
  const cancel = new AbortController();
  const stopWatching = watchStatus(run, record, () => cancel.abort());
  const lines = inputLines(run, batch);
  const hasCrashed = suspects.mostCrashes() !== undefined;
  try {
    const { maxBodyBytes: maxBytes, unknownFields, defaultModel } = run.server.options;
    return await validate(hasCrashed ? recordProgress(lines, suspects) : lines, {
      endpoint: batch.endpoint,
      required: requiredParameters(batch.endpoint, defaultModel),
      maxBytes,
      unknownFields,
      signal: AbortSignal.any([run.signal, cancel.signal]),
    });
  } catch (error) {
    if (error instanceof InputLostError) return { ok: false, errors: [inputError(error)] };
    if (cancel.signal.aborted && !run.signal.aborted) return 'cancelled';
    throw error;
  } finally {
    stopWatching();
  }
}

async function failBatch(
  { server, batches, lease }: BatchRun,
  { batch, version }: BatchRecord,
  errors: readonly BatchError[],
): Promise<void> {
  const failed = withStatus({ ...batch, errors: { object: 'list', data: [...errors] } }, 'failed', server.clock);
  await batches.end(failed, { version, lease, files: [] });
}

/** Number of the unit of work that validates the input, before it is known where it crashes. Lines have the numbers from 0. */
const inputUnit = -1;
/** Lines that are validated between two records of progress, after a crash: each record is a commit. */
const linesPerChunk = 256;

/** The unit of work that validates the lines of a chunk: the chunks have the numbers below that of the whole input. */
const unitOfChunk = (chunk: number): number => inputUnit - 1 - chunk;
const chunkOfUnit = (unit: number): number => inputUnit - 1 - unit;

/**
 * Records the chunk that is validated, so that a crash counts only for the lines during which it happened: a server that is killed from outside is
 * at other lines each time.
 */
async function* recordProgress(lines: AsyncIterable<SplitLine>, suspects: Suspects): AsyncGenerator<SplitLine> {
  let current = -1;
  for await (const line of lines) {
    const chunk = Math.floor((line.number - 1) / linesPerChunk);
    if (chunk !== current) await suspects.advance(unitOfChunk(chunk));
    current = chunk;
    yield line;
  }
}

/** Says in which unit the validation of an input crashed its server too often. */
function crashMessage(unit: number): string {
  const first = chunkOfUnit(unit) * linesPerChunk + 1;
  // Without a chunk, reading the first lines crashed it.
  const what =
    unit === inputUnit ? 'the input file' : `lines ${first} to ${first + linesPerChunk - 1} of the input file`;
  return `Checking ${what} crashed the server ${maxCrashes} times.`;
}
