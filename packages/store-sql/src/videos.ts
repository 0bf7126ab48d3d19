import type { Video, VideoVariant } from '@modelwire/schema/types';
import type { BlobSegment, RequestTrace, VideoContent, VideoRecord, VideoStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import { jobStatements } from './jobs.ts';
import { pageOf } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { segmentOf, segmentQueries } from './segments.ts';
import type { PerProject, StoreContext } from './store-context.ts';
import type { Statement } from './statement.ts';
import type { SegmentRole } from './tables.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expectRows, markAsFreeingSpace, transaction } from './transaction.ts';
import { videoQueries } from './video-queries.ts';
import type { RecordKey } from './record-key.ts';
import { endEvent } from './webhook-queries.ts';

/** The part of `VideoWork` that is stored in the row. The keys of the bytes are in the segments. */
interface StoredWork extends RequestTrace {
  readonly keyId?: string | undefined;
  readonly seed: number;
  readonly inputMediaType?: string | undefined;
}

const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet'];
const contentRoles = variants.map((variant) => ({ variant, role: `video ${variant}` }) as const);
const roles: readonly SegmentRole[] = ['video input', ...contentRoles.map(({ role }) => role)];
const isThere = 'the video exists';

/** Creates the stores of videos, one per project. */
export function videoStores({ database, db, jobs, consume, publish }: StoreContext): PerProject<VideoStore> {
  const queries = videoQueries(db);
  const segments = segmentQueries(db);
  const remove = removeStatements(db);

  return (name) => {
    const project = toStored(name);
    const jobOf = (id: StoredText) => ({ id, kind: 'video', project }) as const;

    return {
      async create({ video, work: { inputReference, ...work } }) {
        const id = toStored(video.id);
        const input = inputReference?.content ?? [];
        const storedWork: StoredWork = { ...work, inputMediaType: inputReference?.mediaType };
        await transaction(database, [
          jobs.insert(jobOf(id)),
          queries.insert({
            id,
            project,
            created: video.created_at,
            work: JSON.stringify(storedWork),
            ...mutableColumns(video),
          }),
          ...consume(keysOf(input)),
          ...segments.insert({ owner: id, role: 'video input' }, input),
        ]);
      },

      async list({ after, limit, order, now }) {
        const [cursor] =
          after === undefined ? [] : await database.read(queries.cursor({ id: toStored(after), project }));
        if (after !== undefined && !cursor) return undefined;
        const rows = await database.scan(queries.page({ project, now, cursor, order, limit: limit + 1 }));
        return pageOf(rows.map(videoOf), limit);
      },

      async get(id) {
        return recordOf(await database.read(queries.get({ id: toStored(id), project })));
      },

      async update(video, { lease, checkpoint }) {
        const recordKey = { id: toStored(video.id), project };
        const saved =
          checkpoint === undefined ? [] : [queries.saveCheckpoint({ ...recordKey, memory: toStored(checkpoint) })];
        const done = await transaction(database, [
          jobs.held(jobOf(recordKey.id), lease),
          expectRows(1, isThere, queries.update({ ...recordKey, ...mutableColumns(video) })),
          ...saved,
        ]);
        return done !== undefined;
      },

      async end(video, { lease, contents, dueAfterMs }) {
        const recordKey = { id: toStored(video.id), project };
        const newContents = contentRoles.flatMap(({ variant, role }) => {
          const content = contents[variant];
          return content ? [{ variant, role, ...content }] : [];
        });
        const mediaTypes = Object.fromEntries(newContents.map(({ variant, mediaType }) => [variant, mediaType]));
        const done = await transaction(database, [
          jobs.held(jobOf(recordKey.id), lease),
          expectRows(1, isThere, queries.update({ ...recordKey, ...mutableColumns(video) })),
          queries.setContents({ ...recordKey, contents: JSON.stringify(mediaTypes) }),
          ...consume(newContents.flatMap(({ content }) => keysOf(content))),
          ...newContents.flatMap(({ role, content }) => segments.insert({ owner: recordKey.id, role }, content)),
          ...segments.remove({ owner: recordKey.id, role: 'video input', dueAfterMs }),
          jobs.remove(jobOf(recordKey.id)),
          ...publish(endEvent('video', video, name)),
        ]);
        return done !== undefined;
      },

      async delete(id, dueAfterMs) {
        return (await transaction(database, remove({ id: toStored(id), project }, dueAfterMs))) !== undefined;
      },
    };
  };
}

/** Removes expired videos of all projects, oldest first. */
export function expiredVideos(database: SqlDatabase, db: QueryBuilder) {
  const remove = removeStatements(db);
  const { old } = videoQueries(db);
  return {
    old,
    remove: async (recordKey: RecordKey, dueAfterMs: number) => transaction(database, remove(recordKey, dueAfterMs)),
  };
}

/** Statements that delete a video and its job and schedule the deletion of its bytes. They roll back if the video does not exist. */
function removeStatements(db: QueryBuilder): (recordKey: RecordKey, dueAfterMs: number) => Statement<unknown>[] {
  const queries = videoQueries(db);
  const segments = segmentQueries(db);
  const jobs = jobStatements(db);
  return (recordKey, dueAfterMs) => [
    jobs.remove({ ...recordKey, kind: 'video' }),
    markAsFreeingSpace(expectRows(1, isThere, queries.delete(recordKey))),
    ...roles.flatMap((role) => segments.remove({ owner: recordKey.id, role, dueAfterMs })),
  ];
}

/** The columns that `update` writes. */
function mutableColumns(video: Video): { readonly expires: number | null; readonly body: string } {
  return { expires: video.expires_at ?? null, body: JSON.stringify(video) };
}

function keysOf(content: readonly BlobSegment[]): string[] {
  return content.map(({ key }) => key);
}

interface Row {
  readonly version: number;
  readonly work: string;
  readonly memory: StoredText | null;
  readonly contents: string;
  readonly body: string;
  readonly role: SegmentRole | null;
  readonly key: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** Makes a record of its rows: one for each segment, or one without a segment. */
function recordOf(rows: readonly Row[]): VideoRecord | undefined {
  const [row] = rows;
  if (!row) return undefined;
  const segmentsOf = (wantedRole: SegmentRole): BlobSegment[] =>
    rows.flatMap((one) => (one.role === wantedRole ? (segmentOf(one) ?? []) : []));
  // What `create` and `end` wrote.
  const { inputMediaType, keyId, ...work } = JSON.parse(row.work) as StoredWork;
  const mediaTypes = JSON.parse(row.contents) as Partial<Record<VideoVariant, string>>;
  const contents = contentRoles.flatMap(({ variant, role }): [VideoVariant, VideoContent][] => {
    const mediaType = mediaTypes[variant];
    return mediaType === undefined ? [] : [[variant, { mediaType, content: segmentsOf(role) }]];
  });
  const input = segmentsOf('video input');
  const inputReference =
    inputMediaType === undefined || input.length === 0 ? undefined : { mediaType: inputMediaType, content: input };
  return {
    video: videoOf(row),
    work: { keyId, ...work, inputReference },
    checkpoint: row.memory === null ? undefined : fromStored(row.memory),
    contents: Object.fromEntries(contents),
    version: row.version,
  };
}

function videoOf({ body }: { readonly body: string }): Video {
  // What `create` and `update` wrote.
  return JSON.parse(body) as Video;
}
