import type { BatchRecord } from '@modelwire/ports';
import type { RequestError } from '../../errors.ts';
import { neverRemoved, occupiesNothing } from '../../jobs/guarded-job.ts';
import type { GuardedJob } from '../../jobs/guarded-job.ts';
import { canTransition, principalOf, withStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';

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
