import type { Video, VideoVariant } from '@modelwire/schema/types';
import type { BlobSegment, RequestTrace, VideoContent, VideoRecord, VideoStore } from '@modelwire/ports';
import type { SqlDatabase } from '../database/database.ts';
import { jobStatements } from '../jobs/jobs.ts';
import { readPage } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { segmentOf, segmentStatements } from '../files/segments.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import type { Statement } from '../query/statement.ts';
import type { SegmentRole } from '../schema/record-tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace } from '../database/transaction.ts';
import { videoQueries } from './video-queries.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';

/** The part of `VideoWork` that is stored in the row. The keys of the bytes are in the segments. */
interface StoredWork extends RequestTrace {
  readonly keyId?: string | undefined;
  readonly seed: number;
  readonly extensionSeconds?: number | undefined;
  readonly inputMediaType?: string | undefined;
  readonly sourceMediaType?: string | undefined;
}

const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet'];
const contentRoles = variants.map((variant) => ({ variant, role: `video ${variant}` }) as const);
const inputRoles = ['video input', 'video source'] as const;
const roles: readonly SegmentRole[] = [...inputRoles, ...contentRoles.map(({ role }) => role)];
const isThere = 'the video exists';

/** Creates the stores of videos, one per project. */
export function videoStores({ database, db, jobs, consume, publishEnd }: StoreContext): PerProject<VideoStore> {
  const queries = videoQueries(db);
  const segments = segmentStatements(db);
  const remove = removeStatements(db);

  return (name) => {
    const project_id = toStored(name);
    const keyOf = keysIn(name);
    const jobOf = (key: RecordKey) => ({ ...key, kind: 'video' }) as const;

    return {
      async create({ video, work: { inputReference, uploadedSource, ...work } }) {
        const key = keyOf(video.id);
        const input = inputReference?.content ?? [];
        const source = uploadedSource?.content ?? [];
        const storedWork: StoredWork = {
          ...work,
          inputMediaType: inputReference?.mediaType,
          sourceMediaType: uploadedSource?.mediaType,
        };
        await commit(database, [
          jobs.insert({ ...jobOf(key), dueForMs: 0 }),
          queries.insert({
            ...key,
            created_at: video.created_at,
            job_input: JSON.stringify(storedWork),
            ...mutableColumns(video),
          }),
          ...consume(keysOf([...input, ...source])),
          ...segments.insert({ owner_id: key.id, role: 'video input' }, input),
          ...segments.insert({ owner_id: key.id, role: 'video source' }, source),
        ]);
      },

      list({ now, ...query }) {
        const page = (values: Pick<PageValues, 'cursor' | 'order' | 'limit'>) =>
          queries.page({ project_id, now, ...values });
        return readPage(database, query, { keyOf, cursor: queries.cursor, page, itemOf: videoOf });
      },

      async get(id) {
        return recordOf(await database.read(queries.get(keyOf(id))));
      },

      async update(video, { lease, checkpoint }) {
        const key = keyOf(video.id);
        const saved = checkpoint === undefined ? {} : { checkpoint: toStored(checkpoint) };
        return commit(database, [
          jobs.held(jobOf(key), lease),
          expectRows(1, isThere, queries.update({ ...key, changes: { ...mutableColumns(video), ...saved } })),
        ]);
      },

      async end(video, { lease, contents, dueAfterMs }) {
        const key = keyOf(video.id);
        const newContents = contentRoles.flatMap(({ variant, role }) => {
          const content = contents[variant];
          return content ? [{ variant, role, ...content }] : [];
        });
        const mediaTypes = Object.fromEntries(newContents.map(({ variant, mediaType }) => [variant, mediaType]));
        const changes = { ...mutableColumns(video), media_types: JSON.stringify(mediaTypes) };
        return commit(database, [
          jobs.held(jobOf(key), lease),
          expectRows(1, isThere, queries.update({ ...key, changes })),
          ...consume(newContents.flatMap(({ content }) => keysOf(content))),
          ...newContents.flatMap(({ role, content }) => segments.insert({ owner_id: key.id, role }, content)),
          ...inputRoles.flatMap((role) => segments.remove({ owner_id: key.id, role, dueAfterMs })),
          jobs.remove(jobOf(key)),
          ...publishEnd('video', video, name),
        ]);
      },

      delete: (id, dueAfterMs) => commit(database, remove(keyOf(id), dueAfterMs)),
    };
  };
}

/** Removes expired videos of all projects, oldest first. */
export function expiredVideos(database: SqlDatabase, db: QueryBuilder) {
  const remove = removeStatements(db);
  const { old } = videoQueries(db);
  return {
    old,
    remove: (key: RecordKey, dueAfterMs: number) => commit(database, remove(key, dueAfterMs)),
  };
}

/** Statements that delete a video and its job and schedule the deletion of its bytes. They roll back if the video does not exist. */
function removeStatements(db: QueryBuilder): (key: RecordKey, dueAfterMs: number) => Statement<unknown>[] {
  const queries = videoQueries(db);
  const segments = segmentStatements(db);
  const jobs = jobStatements(db);
  return (key, dueAfterMs) => [
    jobs.remove({ ...key, kind: 'video' }),
    markAsFreeingSpace(expectRows(1, isThere, queries.delete(key))),
    ...roles.flatMap((role) => segments.remove({ owner_id: key.id, role, dueAfterMs })),
  ];
}

/** The columns that `update` writes. */
function mutableColumns(video: Video): { readonly expires_at: number | null; readonly body: string } {
  return { expires_at: video.expires_at ?? null, body: JSON.stringify(video) };
}

function keysOf(content: readonly BlobSegment[]): string[] {
  return content.map(({ key }) => key);
}

type Row = NonNullable<ReturnType<ReturnType<typeof videoQueries>['get']>['row']>;

/** Makes a record of its rows: one for each segment, or one without a segment. */
function recordOf(rows: readonly Row[]): VideoRecord | undefined {
  const [row] = rows;
  if (!row) return undefined;
  const segmentsOf = (wantedRole: SegmentRole): BlobSegment[] =>
    rows.flatMap((one) => (one.role === wantedRole ? (segmentOf(one) ?? []) : []));
  // What `create` and `end` wrote.
  const { inputMediaType, sourceMediaType, keyId, extensionSeconds, ...work } = JSON.parse(row.job_input) as StoredWork;
  const mediaTypes = JSON.parse(row.media_types) as Partial<Record<VideoVariant, string>>;
  const contents = contentRoles.flatMap(({ variant, role }): [VideoVariant, VideoContent][] => {
    const mediaType = mediaTypes[variant];
    return mediaType === undefined ? [] : [[variant, { mediaType, content: segmentsOf(role) }]];
  });
  const inputOf = (role: SegmentRole, mediaType: string | undefined): VideoContent | undefined => {
    const content = segmentsOf(role);
    return mediaType === undefined || content.length === 0 ? undefined : { mediaType, content };
  };
  const inputReference = inputOf('video input', inputMediaType);
  const uploadedSource = inputOf('video source', sourceMediaType);
  return {
    video: videoOf(row),
    work: { keyId, ...work, extensionSeconds, uploadedSource, inputReference },
    checkpoint: row.checkpoint === null ? undefined : fromStored(row.checkpoint),
    contents: Object.fromEntries(contents),
    version: row.version,
  };
}

function videoOf({ body }: { readonly body: string }): Video {
  // What `create` and `update` wrote.
  return JSON.parse(body) as Video;
}
