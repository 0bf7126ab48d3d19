import type { AuditLog, AuditLogList, AuditLogParams } from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { AuditEntry } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { listOf, unknownAfter } from '../../http/list.ts';
import type { JsonReply } from '../../http/reply.ts';
import { storesOf } from '../../media/files/storage.ts';

/** GET /organization/audit_logs */
export async function listAuditLogs(
  { query }: Call<undefined, AuditLogParams>,
  server: ServerContext,
): Promise<JsonReply<AuditLogList>> {
  const page = await storesOf(server).audit.list({
    after: query.after,
    limit: query.limit ?? PAGE_LIMIT_DEFAULT,
    from: query.start_time,
    to: query.end_time,
    projects: query.project_ids,
    types: query.event_types,
    actors: query.actor_ids,
    resources: query.resource_ids,
  });
  const { items, hasMore } = page ?? unknownAfter(query.after);
  return { status: 200, body: listOf({ items: items.map(wireEntry), hasMore }) };
}

function wireEntry({ id, type, at, actor, project, resource, changes }: AuditEntry): AuditLog {
  return {
    id,
    object: 'organization.audit_log',
    type,
    effective_at: at,
    actor: actor === null ? { type: 'system', api_key: null } : { type: 'api_key', api_key: { id: actor } },
    project: project === null ? null : { id: project },
    resource_id: resource,
    changes: { ...changes },
  };
}
