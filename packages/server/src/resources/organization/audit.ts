import type { AuditLogType } from '@modelwire/schema/types';
import type { AuditEntry } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { nowInSeconds } from '../../clock.ts';

interface AuditInit {
  readonly type: AuditLogType;
  readonly project: string | null;
  /** ID of the project, key or budget that changes. */
  readonly resource: string;
  /** The fields that the request sets. */
  readonly changes?: object;
}

/** The entry in the audit log for a change that the call makes. */
export function auditEntry(
  call: Pick<Call, 'principal' | 'session'>,
  server: ServerContext,
  { changes = {}, ...init }: AuditInit,
): AuditEntry {
  return {
    id: server.createId('audit_log-'),
    at: nowInSeconds(server.clock),
    actor: call.principal.keyId,
    actorName: call.session?.person?.name ?? null,
    changes: { ...changes },
    ...init,
  };
}
