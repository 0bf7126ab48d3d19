import { sql } from 'kysely';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';

/** Identifies a record of the administration, which belongs to no project. */
export interface ById {
  readonly id: StoredText;
}

/** Identifies a record within its project. */
export interface RecordKey {
  readonly id: StoredText;
  readonly project_id: StoredText;
}

/** The keys of the records of a project by their IDs. */
export function keysIn(project: string): (id: string) => RecordKey {
  const project_id = toStored(project);
  return (id) => ({ id: toStored(id), project_id });
}

/** Matches the record of that ID and project. All queries for one record use it, so that none can omit the project. */
export function matchesKey(slot: Slots<RecordKey>) {
  return sql<boolean>`id = ${slot('id')} and project_id = ${slot('project_id')}`;
}
