import type { BatchError } from '@modelwire/schema/types';
import type { BatchRecord } from '@modelwire/ports';
import type { Policy } from '../../limits/policies.ts';
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
  // Cached for two seconds, and shared with the lines.
  const policy = await server.policies?.get(principal);
  if (policy?.accessEndedBy === undefined) return false;
  const errors = { object: 'list', data: [accessError(policy.accessEndedBy, principal)] };
  await batches.replace(withStatus({ ...batch, errors }, 'cancelling'), { version, lease });
  return true;
}

function accessError(
  endedBy: NonNullable<Policy['accessEndedBy']>,
  { keyId, project }: { readonly keyId: string; readonly project: string },
): BatchError {
  return endedBy === 'project_archived'
    ? {
        code: 'project_archived',
        message: `The batch was cancelled because the project '${project}' is archived.`,
        ...{ line: null, param: null },
      }
    : {
        code: 'key_revoked',
        message: `The batch was cancelled because the key '${keyId}', which created it, is revoked.`,
        ...{ line: null, param: null },
      };
}
