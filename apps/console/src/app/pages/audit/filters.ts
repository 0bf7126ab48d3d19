import type { AuditLogParams } from '@modelwire/client';
import { fromLocalTime } from '../../components/local-time.ts';

/** Filters as they are in the address. Dates are `YYYY-MM-DD`; empty is no filter. */
export interface AuditSearch {
  readonly type: string;
  readonly project: string;
  readonly resource: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
}

/** The filters as parameters of the API. `to` is inclusive. Days are those of the browser. */
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
  // By the calendar: days on which clocks change have 23 or 25 hours.
  return Math.floor(date.setDate(date.getDate() + 1) / 1000);
}
