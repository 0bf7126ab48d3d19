import type { BatchRecord } from '@modelwire/ports';
import { accessEndOf } from '../../limits/access-end.ts';
import { canTransition, withStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';

/**
 * Cancels a batch whose key was revoked or whose project was archived: a request with that key would be refused, so its lines do not run
 * either. `batch.errors` has the reason. Returns whether the batch has to be read again.
 */
export async function cancelWithoutAccess(run: BatchRun, { batch, work, version }: BatchRecord): Promise<boolean> {
  const { server, lease, batches } = run;
  if (!canTransition(batch, 'cancelling')) return false;
  const principal = { keyId: work.keyId ?? 'batch', project: lease.project };
  const end = await accessEndOf(server, principal, 'The batch was cancelled');
  if (!end) return false;
  const errors = { object: 'list', data: [{ ...end, line: null, param: null }] };
  await batches.replace(withStatus({ ...batch, errors }, 'cancelling'), { version, lease });
  return true;
}
