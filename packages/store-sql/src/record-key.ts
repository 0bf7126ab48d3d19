import { sql } from 'kysely';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';

/** Identifies a record within its project. */
export interface RecordKey {
  readonly id: StoredText;
  readonly project: StoredText;
}

/** Matches the record of that ID and project. All queries for one record use it, so that none can omit the project. */
export function matchesKey(slot: Slots<RecordKey>) {
  return sql<boolean>`id = ${slot('id')} and project = ${slot('project')}`;
}
