import type { Video, VideoVariant } from '@modelwire/schema/types';
import type { BlobSegment, Lease, VideoContent, VideoRecord, VideoStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import { jobStatements } from './jobs.ts';
import { taking } from './ledger.ts';
import { pageOf } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { segmentQueries } from './segments.ts';
import type { Statement } from './statement.ts';
import type { SegmentRole } from './tables.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expecting, freeing, writeIf } from './unit.ts';
import { videoQueries } from './video-queries.ts';
import type { Which } from './which.ts';

/** Of `VideoWork`, what is in the row: where the bytes are is in the segments. */
interface KeptWork {
  readonly keyId?: string | undefined;
  readonly seed: number;
  readonly inputMediaType?: string | undefined;
}

const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet'];
const contentRoles = variants.map((variant) => ({ variant, role: `video ${variant}` }) as const);
const roles: readonly SegmentRole[] = ['video input', ...contentRoles.map(({ role }) => role)];
const isThere = 'the video is there';

/** Makes the store of a project's videos. */
export function videoStores(database: SqlDatabase, db: QueryBuilder): (project: string) => VideoStore {
  const queries = videoQueries(db);
  const segments = segmentQueries(db);
  const jobs = jobStatements(db);
  const take = taking(db);
  const remove = removing(db);

  return (name) => {
    const project = toStored(name);
    const jobOf = (id: StoredText) => ({ id, kind: 'video', project }) as const;
    const held = (id: StoredText, { token }: Lease) => jobs.held({ ...jobOf(id), token });

    return {
      async create({ video, work: { keyId, seed, inputReference } }) {
        const id = toStored(video.id);
        const input = inputReference?.content ?? [];
        const work: KeptWork = { keyId, seed, inputMediaType: inputReference?.mediaType };
        await writeIf(database, [
          jobs.insert(jobOf(id)),
          queries.insert({ id, project, created: video.created_at, work: JSON.stringify(work), ...written(video) }),
          ...take(keysOf(input)),
          ...segments.insert({ owner: id, role: 'video input' }, input),
        ]);
      },

      async list({ after, limit, order, now }) {
        const [place] = after === undefined ? [] : await database.read(queries.place({ id: toStored(after), project }));
        if (after !== undefined && !place) return undefined;
        const rows = await database.scan(queries.page({ project, now, place, order, limit: limit + 1 }));
        return pageOf(rows.map(videoOf), limit);
      },

      async get(id) {
        return recordOf(await database.read(queries.get({ id: toStored(id), project })));
      },

      async update(video, { lease, memory }) {
        const which = { id: toStored(video.id), project };
        const remembered = memory === undefined ? [] : [queries.remember({ ...which, memory: toStored(memory) })];
        const done = await writeIf(database, [
          held(which.id, lease),
          expecting(1, isThere, queries.update({ ...which, ...written(video) })),
          ...remembered,
        ]);
        return done !== undefined;
      },

      async end(video, { lease, contents, dueAfterMs }) {
        const which = { id: toStored(video.id), project };
        const given = contentRoles.flatMap(({ variant, role }) => {
          const content = contents[variant];
          return content ? [{ variant, role, ...content }] : [];
        });
        const mediaTypes = Object.fromEntries(given.map(({ variant, mediaType }) => [variant, mediaType]));
        const done = await writeIf(database, [
          held(which.id, lease),
          expecting(1, isThere, queries.update({ ...which, ...written(video) })),
          queries.setContents({ ...which, contents: JSON.stringify(mediaTypes) }),
          ...take(given.flatMap(({ content }) => keysOf(content))),
          ...given.flatMap(({ role, content }) => segments.insert({ owner: which.id, role }, content)),
          ...segments.letGo({ owner: which.id, role: 'video input', dueAfterMs }),
          jobs.remove(jobOf(which.id)),
        ]);
        return done !== undefined;
      },

      async delete(id, dueAfterMs) {
        return (await writeIf(database, remove({ id: toStored(id), project }, dueAfterMs))) !== undefined;
      },
    };
  };
}

/** Removes videos of all projects that have expired, the oldest first. */
export function expiredVideos(database: SqlDatabase, db: QueryBuilder) {
  const remove = removing(db);
  const { old } = videoQueries(db);
  return { old, remove: async (which: Which, dueAfterMs: number) => writeIf(database, remove(which, dueAfterMs)) };
}

/** Statements that remove a video and its job, and make its bytes due; undone where it is not there. */
function removing(db: QueryBuilder): (which: Which, dueAfterMs: number) => Statement<unknown>[] {
  const queries = videoQueries(db);
  const segments = segmentQueries(db);
  const jobs = jobStatements(db);
  return (which, dueAfterMs) => [
    jobs.remove({ ...which, kind: 'video' }),
    freeing(expecting(1, isThere, queries.delete(which))),
    ...roles.flatMap((role) => segments.letGo({ owner: which.id, role, dueAfterMs })),
  ];
}

/** What `update` writes. */
function written(video: Video): { readonly expires: number | null; readonly body: string } {
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
}

/** Of a row for each segment, or one that has none. */
function recordOf(rows: readonly Row[]): VideoRecord | undefined {
  const [row] = rows;
  if (!row) return undefined;
  const contentOf = (wanted: SegmentRole): BlobSegment[] =>
    rows.flatMap(({ role, key, bytes }) => (role !== wanted || key === null || bytes === null ? [] : [{ key, bytes }]));
  // What `create` and `end` wrote.
  const { keyId, seed, inputMediaType } = JSON.parse(row.work) as KeptWork;
  const mediaTypes = JSON.parse(row.contents) as Partial<Record<VideoVariant, string>>;
  const contents = contentRoles.flatMap(({ variant, role }): [VideoVariant, VideoContent][] => {
    const mediaType = mediaTypes[variant];
    return mediaType === undefined ? [] : [[variant, { mediaType, content: contentOf(role) }]];
  });
  const input = contentOf('video input');
  const inputReference =
    inputMediaType === undefined || input.length === 0 ? undefined : { mediaType: inputMediaType, content: input };
  return {
    video: videoOf(row),
    work: { keyId, seed, inputReference },
    memory: row.memory === null ? undefined : fromStored(row.memory),
    contents: Object.fromEntries(contents),
    version: row.version,
  };
}

function videoOf({ body }: { readonly body: string }): Video {
  // What `create` and `update` wrote.
  return JSON.parse(body) as Video;
}
