import type { AuditLogParams } from '@modelwire/client';
import { fromLocalTime } from '../../components/local-time.ts';

/** Filters as the URL contains them. Dates are `YYYY-MM-DD`. An empty value is no filter. */
export interface AuditSearch {
  readonly type: string;
  readonly project: string;
  readonly resource: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
}

/** The filters as parameters of the API. `to` is inclusive. Days are in the time zone of the browser. */
export function auditFilters({ type, project, resource, actor, from, to }: AuditSearch): AuditLogParams {
  const start = fromLocalTime(from);
  const end = fromLocalTime(to);
  return {
    ...(type !== '' && { event_types: [type] }),
    ...(project !== '' && { project_ids: [project] }),
    ...(resource !== '' && { resource_ids: [resource] }),
    ...(actor !== '' && { actor_ids: [actor] }),
    ...(start !== null && { start_time: start }),
    ...(end !== null && { end_time: nextDay(end) }),
  };
}

function nextDay(seconds: number): number {
  const date = new Date(seconds * 1000);
  // Not 24 hours: days of a clock change have 23 or 25.
  return Math.floor(date.setDate(date.getDate() + 1) / 1000);
}
