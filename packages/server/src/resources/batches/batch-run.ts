import type { ServerContext } from '../../context.ts';
import type { BatchRecord, BatchStore, Clock, FileStore, Lease, Principal } from '@modelwire/ports';
import type { ByteBudget } from '../../limits/byte-budget.ts';
import { canTransition, withStatus } from '../../batches/status.ts';
import type { RequestError } from '../../errors.ts';
import { neverRemoved, occupiesNothing } from '../../jobs/guarded-job.ts';
import type { GuardedJob } from '../../jobs/guarded-job.ts';
import { startPolling } from '../../timers.ts';
import type { LinePlan } from './line-plan.ts';

/** What the steps of a batch job share. */
export interface BatchRun {
  readonly server: ServerContext;
  readonly lease: Lease;
  /** Aborts when the job is lost or the server stops. */
  readonly signal: AbortSignal;
  /** Reports whether all running lines only wait to be retried. */
  readonly setWaiting: (isWaiting: boolean) => void;
  readonly batches: BatchStore;
  readonly files: FileStore;
  /** Limits the memory of lines that have been read and not completed yet, in UTF-16 code units. */
  readonly memory: ByteBudget;
  /** The plan of its lines, from validation or read again. @throws InputLostError */
  readonly linePlan: { current?: Promise<LinePlan> };
}

export function hasWindowEnded({ batch }: Pick<BatchRecord, 'batch'>, clock: Pick<Clock, 'now'>): boolean {
  return clock.now() >= (batch.expires_at ?? 0) * 1000;
}

/** Whose key created the batch. */
function principalOf({ work }: Pick<BatchRecord, 'work'>, { project }: Pick<Lease, 'project'>): Principal {
  return { keyId: work.keyId ?? 'batch', project };
}

/** Whose lines are run. Their rate limits are those of the lines of a project, and do not count against its keys. */
export function principalOfLines(record: Pick<BatchRecord, 'work'>, { server, lease }: BatchRun): Principal {
  const { batchRequestsPerMinute: requestsPerMinute = null, batchTokensPerMinute: tokensPerMinute = null } =
    server.options;
  const isLimited = requestsPerMinute !== null || tokensPerMinute !== null;
  const limits = isLimited ? [{ id: `batches:${lease.project}`, requestsPerMinute, tokensPerMinute }] : [];
  return { ...principalOf(record, lease), limits };
}

/**
 * What validation and lines have in common as guarded jobs. The time of a batch is limited by its window, not by attempts; a server that stops
 * lets lines finish that are at an engine, and nothing else.
 */
export function stepGuard(record: BatchRecord, { lease }: BatchRun) {
  return {
    access: { principal: principalOf(record, lease), what: 'The batch was cancelled', onEnd: 'fail' },
    attempts: 'unlimited',
    acquire: occupiesNothing,
    onStop: 'abort',
    removal: neverRemoved,
  } as const satisfies Partial<GuardedJob<unknown>>;
}

/**
 * Cancels a batch whose key was revoked or whose project was archived, so that its lines end in order, as when a client cancels it.
 * `batch.errors` has the reason.
 */
export async function cancelWithoutAccess({ server, batches, lease }: BatchRun, end: RequestError): Promise<void> {
  const { code, message } = end;
  const errors = { object: 'list', data: [{ code, message, line: null, param: null }] };
  let previousVersion: number | undefined;
  for (;;) {
    const record = await batches.get(lease.id);
    // The lease is lost if a write that had no effect met no other change.
    if (!record || !canTransition(record.batch, 'cancelling') || record.version === previousVersion) return;
    const { batch, version } = record;
    if (await batches.replace(withStatus({ ...batch, errors }, 'cancelling', server.clock), { version, lease })) return;
    previousVersion = version;
  }
}

/**
 * Polls every second whether the status of the batch has changed, for instance because a client cancelled it. Returns a function that stops
 * polling. `onUnchanged` is called with the start of each poll that found no change, in milliseconds of `performance.now()`.
 */
export function watchStatus(
  { server, batches, lease }: BatchRun,
  { batch }: BatchRecord,
  onChange: () => void,
  onUnchanged?: (at: number) => void,
): () => void {
  return startPolling({
    async poll(isStopped) {
      const requestedAt = performance.now();
      const current = await batches.get(lease.id);
      if (isStopped()) return true;
      const hasChanged = current?.batch.status !== batch.status;
      if (hasChanged) onChange();
      else onUnchanged?.(requestedAt);
      return hasChanged;
    },
    onError: (error) => server.options.report('failed to poll a batch', error),
  });
}
