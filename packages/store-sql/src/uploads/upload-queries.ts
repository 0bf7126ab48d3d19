import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { removeContents } from '../files/segments.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { insertRow } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

interface OfUpload {
  readonly upload: StoredText;
}

type EndColumns = Pick<Selectable<Tables['uploads']>, 'status' | 'file_body' | 'part_ids'>;

interface CountValues extends RecordKey {
  readonly now: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly maxParts: number;
}

export function uploadQueries(db: QueryBuilder) {
  const select = (slot: Slots<RecordKey>) => db.selectFrom('uploads').where(matchesKey(slot));
  const updatePending = (slot: Slots<RecordKey>) =>
    db.updateTable('uploads').where(matchesKey(slot)).where('status', '=', 'pending').returning('id');
  return {
    insert: insertRow(db, 'uploads'),

    get: statement((slot: Slots<RecordKey>) => select(slot).select(['status', 'body', 'file_body'])),

    state: statement((slot: Slots<RecordKey>) => select(slot).select(['status', 'expires_at', 'part_bytes'])),

    completedWith: statement((slot: Slots<RecordKey>) => select(slot).select('part_ids')),

    /** Counts a part if the upload accepts it. */
    count: statement((slot: Slots<CountValues>) => {
      const maxBefore = slot(({ maxBytes, bytes }) => maxBytes - bytes);
      return updatePending(slot)
        .set((eb) => ({
          part_bytes: eb('part_bytes', '+', slot('bytes')),
          part_count: eb('part_count', '+', 1),
        }))
        .where('expires_at', '>', slot('now'))
        .where('part_bytes', '<=', maxBefore)
        .where('part_count', '<', slot('maxParts'));
    }),

    insertPart: insertRow(db, 'upload_parts'),

    parts: statement(
      (slot: Slots<OfUpload & { readonly project_id: StoredText; readonly ids: readonly StoredText[] }>, example) =>
        db
          .selectFrom('uploads')
          .innerJoin('upload_parts', 'upload_parts.upload_id', 'uploads.id')
          .select(['upload_parts.blob_key', 'upload_parts.bytes', 'upload_parts.sha256', 'upload_parts.body'])
          .where('uploads.id', '=', slot('upload'))
          .where('uploads.project_id', '=', slot('project_id'))
          .where('upload_parts.id', 'in', slotList(slot, example, 'ids')),
      ({ ids }) => String(ids.length),
    ),

    /** Ends an upload that has not expired at `now`. */
    end: statement((slot: Slots<RecordKey & EndColumns & { readonly now: number }>) =>
      updatePending(slot)
        .set({ status: slot('status'), file_body: slot('file_body'), part_ids: slot('part_ids') })
        .where('expires_at', '>', slot('now')),
    ),

    expire: statement((slot: Slots<RecordKey>) => updatePending(slot).set({ status: 'expired' })),

    /** Removes the parts that the file does not include, and schedules the deletion of their bytes. */
    removeParts: removeContents(db, 'upload_parts', (slot: Slots<OfUpload & { readonly file: StoredText }>) => {
      const segments = db.selectFrom('segments').select('segments.blob_key').where('role', '=', 'file');
      return sql<boolean>`upload_id = ${slot('upload')} and blob_key not in ${segments.where('owner_id', '=', slot('file'))}`;
    }),

    deleteParts: statement((slot: Slots<OfUpload>) =>
      db.deleteFrom('upload_parts').where('upload_id', '=', slot('upload')),
    ),

    delete: statement((slot: Slots<RecordKey & { readonly status: string }>) =>
      db.deleteFrom('uploads').where(matchesKey(slot)).where('status', '=', slot('status')).returning('id'),
    ),

    old: statement((slot: Slots<{ readonly status: string; readonly now: number; readonly limit: number }>) =>
      db
        .selectFrom('uploads')
        .select(['id', 'project_id'])
        .where('status', '=', slot('status'))
        .where('expires_at', '<=', slot('now'))
        .orderBy('expires_at')
        .limit(slot('limit')),
    ),
  };
}
