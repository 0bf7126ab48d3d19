import { sql } from 'kysely';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

interface OfUpload {
  readonly upload: StoredText;
}

interface CountValues extends RecordKey {
  readonly now: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly maxParts: number;
}

export function uploadQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const select = (slot: Slots<RecordKey>) => db.selectFrom('uploads').where(matchesKey(slot));
  const updatePending = (slot: Slots<RecordKey>) =>
    db.updateTable('uploads').where(matchesKey(slot)).where('status', '=', 'pending').returning('id');
  /** Ledger entries that schedule the deletion of the parts' bytes. */
  const deletionEntries = (slot: Slots<OfUpload & { readonly dueAfterMs: number }>) => {
    const due = sql<number>`${clock} + ${slot('dueAfterMs')}`;
    return db
      .selectFrom('parts')
      .select(({ lit }) => ['parts.key', due.as('due'), lit(0).as('going')])
      .where('upload', '=', slot('upload'));
  };
  const segmentsOf = (slot: Slots<{ readonly file: StoredText }>) =>
    db.selectFrom('segments').select('segments.key').where('owner', '=', slot('file')).where('role', '=', 'file');

  return {
    insert: statement(
      (slot: Slots<RecordKey & { readonly status: string; readonly expires: number; readonly body: string }>) =>
        db.insertInto('uploads').values({
          id: slot('id'),
          project: slot('project'),
          status: slot('status'),
          expires: slot('expires'),
          sent_bytes: 0,
          sent_parts: 0,
          body: slot('body'),
          file: null,
          part_ids: null,
        }),
    ),

    get: statement((slot: Slots<RecordKey>) => select(slot).select(['status', 'body', 'file'])),

    state: statement((slot: Slots<RecordKey>) => select(slot).select(['status', 'expires', 'sent_bytes'])),

    completedWith: statement((slot: Slots<RecordKey>) => select(slot).select('part_ids')),

    /** Counts a part if the upload accepts it. */
    count: statement((slot: Slots<CountValues>) => {
      const bytes = slot('bytes');
      return updatePending(slot)
        .set((eb) => ({ sent_bytes: eb('sent_bytes', '+', bytes), sent_parts: eb('sent_parts', '+', 1) }))
        .where('expires', '>', slot('now'))
        .where(
          'sent_bytes',
          '<=',
          slot((v) => v.maxBytes - v.bytes),
        )
        .where('sent_parts', '<', slot('maxParts'));
    }),

    insertPart: statement(
      (
        slot: Slots<
          OfUpload & {
            readonly id: StoredText;
            readonly key: string;
            readonly bytes: number;
            readonly sha256: string | null;
            readonly body: string;
          }
        >,
      ) =>
        db.insertInto('parts').values({
          upload: slot('upload'),
          id: slot('id'),
          key: slot('key'),
          bytes: slot('bytes'),
          sha256: slot('sha256'),
          body: slot('body'),
        }),
    ),

    parts: statement(
      (
        slot: Slots<OfUpload & { readonly project: StoredText; readonly ids: readonly StoredText[] }>,
        { ids, upload },
      ) =>
        db
          .selectFrom('uploads')
          .innerJoin('parts', 'parts.upload', 'uploads.id')
          .select(['parts.key', 'parts.bytes', 'parts.sha256', 'parts.body'])
          .where('uploads.id', '=', slot('upload'))
          .where('uploads.project', '=', slot('project'))
          .where(
            'parts.id',
            'in',
            ids.map((_, index) => slot((v) => v.ids[index] ?? upload)),
          ),
      ({ ids }) => String(ids.length),
    ),

    complete: statement(
      (slot: Slots<RecordKey & { readonly now: number; readonly file: string; readonly partIds: string }>) =>
        updatePending(slot)
          .set({ status: 'completed', file: slot('file'), part_ids: slot('partIds') })
          .where('expires', '>', slot('now')),
    ),

    cancel: statement((slot: Slots<RecordKey & { readonly now: number }>) =>
      updatePending(slot).set({ status: 'cancelled' }).where('expires', '>', slot('now')),
    ),

    expire: statement((slot: Slots<RecordKey>) => updatePending(slot).set({ status: 'expired' })),

    enqueueDeletion: statement((slot: Slots<OfUpload & { readonly dueAfterMs: number }>) =>
      db.insertInto('ledger').columns(['key', 'due', 'going']).expression(deletionEntries(slot)),
    ),

    deleteParts: statement((slot: Slots<OfUpload>) => db.deleteFrom('parts').where('upload', '=', slot('upload'))),

    delete: statement((slot: Slots<RecordKey & { readonly status: string }>) =>
      db.deleteFrom('uploads').where(matchesKey(slot)).where('status', '=', slot('status')).returning('id'),
    ),

    /** Parts that the file does not include. */
    enqueueUnlistedDeletion: statement(
      (slot: Slots<OfUpload & { readonly file: StoredText; readonly dueAfterMs: number }>) =>
        db
          .insertInto('ledger')
          .columns(['key', 'due', 'going'])
          .expression(deletionEntries(slot).where('parts.key', 'not in', segmentsOf(slot))),
    ),

    deleteUnlisted: statement((slot: Slots<OfUpload & { readonly file: StoredText }>) =>
      db.deleteFrom('parts').where('upload', '=', slot('upload')).where('key', 'not in', segmentsOf(slot)),
    ),

    old: statement((slot: Slots<{ readonly status: string; readonly now: number; readonly limit: number }>) =>
      db
        .selectFrom('uploads')
        .select(['id', 'project'])
        .where('status', '=', slot('status'))
        .where('expires', '<=', slot('now'))
        .orderBy('expires')
        .limit(slot('limit')),
    ),
  };
}
