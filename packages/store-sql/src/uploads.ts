import type { Upload } from '@modelwire/schema/types';
import type { PartOutcome, PartRecord, UploadRecord, UploadStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import { inserting } from './files.ts';
import { inGroups } from './groups.ts';
import { taking } from './ledger.ts';
import type { QueryBuilder } from './query-builder.ts';
import type { Statement } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expecting, freeing, writeIf } from './unit.ts';
import { uploadQueries } from './upload-queries.ts';
import type { Which } from './which.ts';

const isPending = 'the upload is pending';

/** Makes the store of a project's uploads. */
export function uploadStores(database: SqlDatabase, db: QueryBuilder): (project: string) => UploadStore {
  const queries = uploadQueries(db);
  const insertFile = inserting(db);
  const take = taking(db);

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
        const which = { id, project };
        const added = await writeIf(database, [
          // First: it locks the upload, so that what ends it waits for the part, or the other way round.
          expecting(1, isPending, queries.count({ ...which, ...bounds, bytes: segment.bytes })),
          ...take([segment.key]),
          queries.insertPart({ id: toStored(part.id), upload: id, ...segment, body: JSON.stringify(part) }),
        ]);
        if (added) return 'added';
        // Parts only come, and no upload goes back: what refused it is still there to be read.
        const [row] = await database.read(queries.state(which));
        return row ? refusalOf(row, segment.bytes, bounds) : 'absent';
      },

      async parts(id, partIds) {
        const upload = toStored(id);
        const groups = inGroups(partIds.map(toStored));
        const rows = await Promise.all(groups.map((ids) => database.read(queries.parts({ project, upload, ids }))));
        return rows.flat().map(({ key, bytes, body }) => ({
          // What `addPart` wrote.
          part: JSON.parse(body) as PartRecord['part'],
          segment: { key, bytes },
        }));
      },

      async complete(id, { now, partIds, file, dueAfterMs }) {
        const which = { id: toStored(id), project };
        const owner = toStored(file.file.id);
        const done = await writeIf(database, [
          expecting(
            1,
            isPending,
            queries.complete({
              ...which,
              now,
              file: JSON.stringify(file.file),
              partIds: JSON.stringify(partIds),
            }),
          ),
          ...insertFile(project, file),
          queries.bequeathUnlisted({ upload: which.id, file: owner, dueAfterMs }),
          queries.deleteUnlisted({ upload: which.id, file: owner }),
        ]);
        return done !== undefined;
      },

      async completedWith(id) {
        const [row] = await database.read(queries.completedWith({ id: toStored(id), project }));
        // What `complete` wrote.
        return row?.part_ids ? (JSON.parse(row.part_ids) as string[]) : [];
      },

      async cancel(id, { now, dueAfterMs }) {
        const which = { id: toStored(id), project };
        const unit = [
          freeing(expecting(1, isPending, queries.cancel({ ...which, now }))),
          ...lettingGo(queries, which.id, dueAfterMs),
        ];
        return (await writeIf(database, unit)) !== undefined;
      },
    };
  };
}

/** Ends uploads of all projects whose time has passed, the oldest first. */
export function expiredUploads(database: SqlDatabase, db: QueryBuilder) {
  const queries = uploadQueries(db);
  return {
    old: (init: { readonly now: number; readonly limit: number }) => queries.old({ ...init, status: 'pending' }),
    remove: async (which: Which, dueAfterMs: number) =>
      writeIf(database, [
        freeing(expecting(1, isPending, queries.expire(which))),
        ...lettingGo(queries, which.id, dueAfterMs),
      ]),
  };
}

/** Seconds that uploads which have ended can still be looked up, from when they would have expired: thirty days. */
const endedStay = 30 * 86_400;

/** Removes uploads of all projects that ended in this way long ago. Their bytes went before, or are a file's. */
export function endedUploads(database: SqlDatabase, db: QueryBuilder, status: 'completed' | 'cancelled' | 'expired') {
  const queries = uploadQueries(db);
  return {
    old: ({ now, limit }: { readonly now: number; readonly limit: number }) =>
      queries.old({ status, now: now - endedStay, limit }),
    remove: async (which: Which) =>
      writeIf(database, [
        freeing(expecting(1, 'the upload is there', queries.delete({ ...which, status }))),
        queries.deleteParts({ upload: which.id }),
      ]),
  };
}

/** Removes all parts, and makes their bytes due. */
function lettingGo(
  queries: ReturnType<typeof uploadQueries>,
  upload: StoredText,
  dueAfterMs: number,
): Statement<unknown>[] {
  return [queries.bequeath({ upload, dueAfterMs }), queries.deleteParts({ upload })];
}

interface Row {
  readonly status: string;
  readonly body: string;
  readonly file: string | null;
}

function recordOf({ status, body, file }: Row): UploadRecord {
  // What `create` and `complete` wrote.
  const { upload, mediaType, fileExpiresAfter } = JSON.parse(body) as UploadRecord;
  const made = file === null ? {} : { file: JSON.parse(file) as NonNullable<Upload['file']> };
  return { upload: { ...upload, status, ...made }, mediaType, fileExpiresAfter };
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
