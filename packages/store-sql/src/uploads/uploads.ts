import type { Upload } from '@modelwire/schema/types';
import type { PartOutcome, PartRecord, UploadRecord, UploadStore } from '@modelwire/ports';
import type { SqlDatabase } from '../database/database.ts';
import { inGroups } from '../query/groups.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import { toStored } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace } from '../database/transaction.ts';
import { uploadQueries } from './upload-queries.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { segmentOf, segmentRow } from '../files/segments.ts';

const isPending = 'the upload is pending';
/** An upload that ends without a file includes no part in one. */
const noFile = toStored('');

/** Creates the stores of uploads, one per project. */
export function uploadStores({
  database,
  db,
  consume,
  insertFile,
  withinLimit,
}: StoreContext): PerProject<UploadStore> {
  const queries = uploadQueries(db);

  return (name) => {
    const project_id = toStored(name);
    const keyOf = keysIn(name);
    return {
      async create({ upload, mediaType, fileExpiresAfter }) {
        const { id, status, expires_at } = upload;
        const body = JSON.stringify({ upload, mediaType, fileExpiresAfter });
        await database.write([queries.insert({ ...keyOf(id), status, expires_at, body })]);
      },

      async get(id) {
        const [row] = await database.read(queries.get(keyOf(id)));
        return row && recordOf(row);
      },

      async addPart({ part, segment }, bounds) {
        const key = keyOf(part.upload_id);
        const added = await commit(database, [
          // First: it locks the upload, so that adding a part and ending the upload exclude each other.
          expectRows(1, isPending, queries.count({ ...key, ...bounds, bytes: segment.bytes })),
          ...consume([segment.key]),
          queries.insertPart({
            id: toStored(part.id),
            upload_id: key.id,
            ...segmentRow(segment),
            body: JSON.stringify(part),
          }),
        ]);
        if (added) return 'added';
        // Parts are only added and no status is reverted, so the reason of the refusal can still be read.
        const [row] = await database.read(queries.state(key));
        return row ? refusalOf(row, segment.bytes, bounds) : 'absent';
      },

      async parts(id, partIds) {
        const upload = toStored(id);
        const groups = inGroups(partIds.map(toStored));
        const rows = await Promise.all(groups.map((ids) => database.read(queries.parts({ project_id, upload, ids }))));
        return rows.flat().flatMap(({ body, ...row }) => {
          const segment = segmentOf(row);
          // What `addPart` wrote.
          return segment ? [{ part: JSON.parse(body) as PartRecord['part'], segment }] : [];
        });
      },

      async complete(id, { now, partIds, file, dueAfterMs, maxProjectBytes }) {
        const key = keyOf(id);
        const ended = { status: 'completed', file_body: JSON.stringify(file.file), part_ids: JSON.stringify(partIds) };
        const unit = [
          expectRows(1, isPending, queries.end({ ...key, ...ended, now })),
          ...insertFile(project_id, file),
          ...queries.removeParts({ upload: key.id, file: toStored(file.file.id), dueAfterMs }),
        ];
        return commit(database, withinLimit(project_id, { maxProjectBytes }, unit));
      },

      async completedWith(id) {
        const [row] = await database.read(queries.completedWith(keyOf(id)));
        // What `complete` wrote.
        return row?.part_ids ? (JSON.parse(row.part_ids) as string[]) : [];
      },

      async cancel(id, { now, dueAfterMs }) {
        const key = keyOf(id);
        const ended = { status: 'cancelled', file_body: null, part_ids: null };
        return commit(database, [
          markAsFreeingSpace(expectRows(1, isPending, queries.end({ ...key, ...ended, now }))),
          ...queries.removeParts({ upload: key.id, file: noFile, dueAfterMs }),
        ]);
      },
    };
  };
}

/** Expires pending uploads of all projects, oldest first. */
export function expiredUploads(database: SqlDatabase, db: QueryBuilder) {
  const queries = uploadQueries(db);
  return {
    old: (init: { readonly now: number; readonly limit: number }) => queries.old({ ...init, status: 'pending' }),
    remove: (key: RecordKey, dueAfterMs: number) =>
      commit(database, [
        markAsFreeingSpace(expectRows(1, isPending, queries.expire(key))),
        ...queries.removeParts({ upload: key.id, file: noFile, dueAfterMs }),
      ]),
  };
}

/** How long ended uploads can be retrieved after their expiry time: thirty days. */
const endedRetentionSeconds = 30 * 86_400;

/** Removes uploads of all projects that ended with this status. Their bytes were deleted before or belong to a file. */
export function endedUploads(database: SqlDatabase, db: QueryBuilder, status: 'completed' | 'cancelled' | 'expired') {
  const queries = uploadQueries(db);
  return {
    old: ({ now, limit }: { readonly now: number; readonly limit: number }) =>
      queries.old({ status, now: now - endedRetentionSeconds, limit }),
    remove: (key: RecordKey) =>
      commit(database, [
        markAsFreeingSpace(expectRows(1, 'the upload exists', queries.delete({ ...key, status }))),
        queries.deleteParts({ upload: key.id }),
      ]),
  };
}

type Queries = ReturnType<typeof uploadQueries>;
type Row = NonNullable<ReturnType<Queries['get']>['row']>;
type State = NonNullable<ReturnType<Queries['state']>['row']>;

function recordOf({ status, body, file_body }: Row): UploadRecord {
  // What `create` and `complete` wrote.
  const { upload, mediaType, fileExpiresAfter } = JSON.parse(body) as UploadRecord;
  const completedFile = file_body === null ? {} : { file: JSON.parse(file_body) as NonNullable<Upload['file']> };
  return { upload: { ...upload, status, ...completedFile }, mediaType, fileExpiresAfter };
}

type Bounds = Parameters<UploadStore['addPart']>[1];

function refusalOf({ status, expires_at, part_bytes }: State, bytes: number, { now, maxBytes }: Bounds): PartOutcome {
  if (status === 'completed' || status === 'cancelled' || status === 'expired') return status;
  if (expires_at <= now) return 'expired';
  return part_bytes + bytes > maxBytes ? 'too_many_bytes' : 'too_many_parts';
}
