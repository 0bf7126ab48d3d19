import type { AuditLogParams } from '@modelwire/client';

/** Filters as the URL contains them. An empty value, or 0, is no filter. */
export interface AuditSearch {
  readonly type: string;
  readonly project: string;
  readonly resource: string;
  readonly actor: string;
  /** Unix seconds: from this time on. */
  readonly start_time: number;
  /** Unix seconds: before this time. */
  readonly end_time: number;
}

/** The filters as parameters of the API. */
export function auditFilters({ type, project, resource, actor, start_time, end_time }: AuditSearch): AuditLogParams {
  return {
    ...(type !== '' && { event_types: [type] }),
    ...(project !== '' && { project_ids: [project] }),
    ...(resource !== '' && { resource_ids: [resource] }),
    ...(actor !== '' && { actor_ids: [actor] }),
    ...(start_time > 0 && { start_time }),
    ...(end_time > 0 && { end_time }),
  };
}
