import type { AuditLog } from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { AuditEntry } from '@modelwire/ports';
import { listOf, unknownAfter } from '../../http/list.ts';
import { storesOf } from '../../media/files/storage.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /organization/audit_logs */
export const listAuditLogs: Handlers['organization.audit_logs.list'] = async ({ query }, server) => {
  const page = await storesOf(server).audit.list({
    after: query.after,
    limit: query.limit ?? PAGE_LIMIT_DEFAULT,
    from: query.start_time,
    to: query.end_time,
    projects: query.project_ids,
    types: query.event_types,
    actors: query.actor_ids,
    actorNames: query.actor_emails,
    resources: query.resource_ids,
  });
  const { items, hasMore } = page ?? unknownAfter(query.after);
  return { status: 200, body: listOf({ items: items.map(wireEntry), hasMore }) };
};

function wireEntry({ id, type, at, project, resource, changes, ...actor }: AuditEntry): AuditLog {
  return {
    id,
    object: 'organization.audit_log',
    type,
    effective_at: at,
    actor: wireActor(actor),
    project: project === null ? null : { id: project },
    resource_id: resource,
    changes: { ...changes },
  };
}

function wireActor({ actor, actorName }: Pick<AuditEntry, 'actor' | 'actorName'>): AuditLog['actor'] {
  if (actor === null) return { type: 'system', api_key: null, session: null };
  if (actorName === null) return { type: 'api_key', api_key: { id: actor }, session: null };
  return { type: 'session', api_key: null, session: { user: { id: actor, name: actorName } } };
}
