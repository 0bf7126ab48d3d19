import type { Upload } from '@modelwire/schema/types';
import type { PartOutcome, PartRecord, UploadRecord, UploadStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import { inGroups } from './groups.ts';
import type { QueryBuilder } from './query-builder.ts';
import type { PerProject, StoreContext } from './store-context.ts';
import type { Statement } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expectRows, markAsFreeingSpace, transaction } from './transaction.ts';
import { uploadQueries } from './upload-queries.ts';
import type { RecordKey } from './record-key.ts';

const isPending = 'the upload is pending';

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
    const project = toStored(name);
    return {
      async create({ upload, mediaType, fileExpiresAfter }) {
        const { id, status, expires_at: expires } = upload;
        const body = JSON.stringify({ upload, mediaType, fileExpiresAfter });
        await database.write([queries.insert({ id: toStored(id), project, status, expires, body })]);
      },

      async get(id) {
        const [row] = await database.read(queries.get({ id: toStored(id), project }));
        return row && recordOf(row);
      },

      async addPart({ part, segment }, bounds) {
        const id = toStored(part.upload_id);
        const recordKey = { id, project };
        const added = await transaction(database, [
          // First: it locks the upload, so that adding a part and ending the upload exclude each other.
          expectRows(1, isPending, queries.count({ ...recordKey, ...bounds, bytes: segment.bytes })),
          ...consume([segment.key]),
          queries.insertPart({
            id: toStored(part.id),
            upload: id,
            ...segment,
            sha256: segment.sha256 ?? null,
            body: JSON.stringify(part),
          }),
        ]);
        if (added) return 'added';
        // Parts are only added and no status is reverted, so the reason of the refusal can still be read.
        const [row] = await database.read(queries.state(recordKey));
        return row ? refusalOf(row, segment.bytes, bounds) : 'absent';
      },

      async parts(id, partIds) {
        const upload = toStored(id);
        const groups = inGroups(partIds.map(toStored));
        const rows = await Promise.all(groups.map((ids) => database.read(queries.parts({ project, upload, ids }))));
        return rows.flat().map(({ key, bytes, sha256, body }) => ({
          // What `addPart` wrote.
          part: JSON.parse(body) as PartRecord['part'],
          segment: { key, bytes, ...(sha256 !== null && { sha256 }) },
        }));
      },

      async complete(id, { now, partIds, file, dueAfterMs, maxProjectBytes }) {
        const recordKey = { id: toStored(id), project };
        const owner = toStored(file.file.id);
        const unit = [
          expectRows(
            1,
            isPending,
            queries.complete({
              ...recordKey,
              now,
              file: JSON.stringify(file.file),
              partIds: JSON.stringify(partIds),
            }),
          ),
          ...insertFile(project, file),
          queries.enqueueUnlistedDeletion({ upload: recordKey.id, file: owner, dueAfterMs }),
          queries.deleteUnlisted({ upload: recordKey.id, file: owner }),
        ];
        const done = await transaction(database, withinLimit(project, { maxProjectBytes }, unit));
        return done !== undefined;
      },

      async completedWith(id) {
        const [row] = await database.read(queries.completedWith({ id: toStored(id), project }));
        // What `complete` wrote.
        return row?.part_ids ? (JSON.parse(row.part_ids) as string[]) : [];
      },

      async cancel(id, { now, dueAfterMs }) {
        const recordKey = { id: toStored(id), project };
        const unit = [
          markAsFreeingSpace(expectRows(1, isPending, queries.cancel({ ...recordKey, now }))),
          ...removeParts(queries, recordKey.id, dueAfterMs),
        ];
        return (await transaction(database, unit)) !== undefined;
      },
    };
  };
}

/** Expires pending uploads of all projects, oldest first. */
export function expiredUploads(database: SqlDatabase, db: QueryBuilder) {
  const queries = uploadQueries(db);
  return {
    old: (init: { readonly now: number; readonly limit: number }) => queries.old({ ...init, status: 'pending' }),
    remove: async (recordKey: RecordKey, dueAfterMs: number) =>
      transaction(database, [
        markAsFreeingSpace(expectRows(1, isPending, queries.expire(recordKey))),
        ...removeParts(queries, recordKey.id, dueAfterMs),
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
    remove: async (recordKey: RecordKey) =>
      transaction(database, [
        markAsFreeingSpace(expectRows(1, 'the upload exists', queries.delete({ ...recordKey, status }))),
        queries.deleteParts({ upload: recordKey.id }),
      ]),
  };
}

/** Removes all parts and schedules the deletion of their bytes. */
function removeParts(
  queries: ReturnType<typeof uploadQueries>,
  upload: StoredText,
  dueAfterMs: number,
): Statement<unknown>[] {
  return [queries.enqueueDeletion({ upload, dueAfterMs }), queries.deleteParts({ upload })];
}

interface Row {
  readonly status: string;
  readonly body: string;
  readonly file: string | null;
}

function recordOf({ status, body, file }: Row): UploadRecord {
  // What `create` and `complete` wrote.
  const { upload, mediaType, fileExpiresAfter } = JSON.parse(body) as UploadRecord;
  const completedFile = file === null ? {} : { file: JSON.parse(file) as NonNullable<Upload['file']> };
  return { upload: { ...upload, status, ...completedFile }, mediaType, fileExpiresAfter };
}

interface State {
  readonly status: string;
  readonly expires: number;
  readonly sent_bytes: number;
}

type Bounds = Parameters<UploadStore['addPart']>[1];

function refusalOf({ status, expires, sent_bytes }: State, bytes: number, { now, maxBytes }: Bounds): PartOutcome {
  if (status === 'completed' || status === 'cancelled' || status === 'expired') return status;
  if (expires <= now) return 'expired';
  return sent_bytes + bytes > maxBytes ? 'too_many_bytes' : 'too_many_parts';
}
