import type { PartChecksums, StoredPart, UploadKey } from '../../part-checksums.ts';
import { createHashThread } from './hash-thread.ts';
import type { HashThread } from './hash-thread.ts';
import { inPlaceBytes } from './md5.ts';

/** Maximum number of uploads whose parts are hashed as they arrive. */
const maxUploads = 64;
/** Milliseconds after which the hash of an idle upload is discarded. */
const maxIdleMs = 3_600_000;
/**
 * Whether a checksum is requested is known only when an upload is completed, and hashing a gigabyte takes 1.6 s of CPU time. Therefore, after
 * an upload that was completed with a checksum, the parts of this many further uploads of the project are hashed as they arrive.
 */
const uploadsAhead = 16;
const maxProjects = 1000;

interface Progress {
  /** Names the hash in the thread. */
  hash: number;
  /** The IDs of the hashed parts, in order. */
  hashed: string[];
  /** Requests whose part is not hashed yet, in the order in which they started, each with its part once that is stored. */
  readonly arriving: Map<string, StoredPart | undefined>;
  /** Small uploads are hashed when they are completed, without a thread. */
  arrivedBytes: number;
  usedAt: number;
  /** Number of pending digests. */
  digests: number;
}

export function createPartChecksums(localPath: (key: string) => string | undefined): PartChecksums {
  const uploads = new Map<string, Progress>();
  /** The number of further uploads of each project that are hashed ahead. */
  const aheadByProject = new Map<string, number>();
  let thread: HashThread | undefined;
  let hashes = 0;

  const keyOf = ({ project, upload }: UploadKey): string => `${project}/${upload}`;

  function progressOf(key: string): Progress {
    const now = performance.now();
    const existing = uploads.get(key);
    const progress = existing ?? {
      hash: hashes++,
      hashed: [],
      arriving: new Map(),
      arrivedBytes: 0,
      usedAt: 0,
      digests: 0,
    };
    progress.usedAt = now;
    // Ordered by last use, the oldest first.
    uploads.delete(key);
    uploads.set(key, progress);
    for (const [other, { usedAt, digests }] of uploads) {
      if (uploads.size <= maxUploads && usedAt + maxIdleMs > now) break;
      if (digests === 0 && other !== key) discard(other);
    }
    return progress;
  }

  function discard(key: string): void {
    const progress = uploads.get(key);
    if (!progress) return;
    uploads.delete(key);
    thread?.drop(progress.hash);
    if (uploads.size > 0) return;
    void thread?.close();
    thread = undefined;
  }

  /** Passes a part to the thread. Returns false if it has no local file. */
  function hash(progress: Progress, { id, segment }: StoredPart): boolean {
    const path = localPath(segment.key);
    if (path === undefined) return false;
    thread ??= createHashThread();
    thread.update(progress.hash, { path, bytes: segment.bytes });
    progress.hashed.push(id);
    return true;
  }

  /** Hashes the parts that have no missing part before them. */
  function advance(key: string, progress: Progress): void {
    if (progress.arrivedBytes <= inPlaceBytes) return;
    for (const [requestId, part] of progress.arriving) {
      if (!part) return;
      progress.arriving.delete(requestId);
      if (!hash(progress, part)) {
        discard(key);
        return;
      }
    }
  }

  return {
    expect(upload, requestId) {
      if (!aheadByProject.has(upload.project)) return () => undefined;
      const key = keyOf(upload);
      const progress = progressOf(key);
      progress.arriving.set(requestId, undefined);
      return () => {
        if (progress.arriving.get(requestId)) return;
        progress.arriving.delete(requestId);
        if (uploads.get(key) === progress) advance(key, progress);
      };
    },
    add(upload, requestId, part) {
      const key = keyOf(upload);
      const progress = uploads.get(key);
      if (!progress?.arriving.has(requestId)) return;
      progress.arriving.set(requestId, part);
      progress.arrivedBytes += part.segment.bytes;
      advance(key, progressOf(key));
    },
    async digest(upload, parts, signal) {
      const key = keyOf(upload);
      const progress = progressOf(key);
      progress.arriving.clear();
      const isInOrder = progress.hashed.every((id, index) => id === parts[index]?.id);
      if (!isInOrder) {
        thread?.drop(progress.hash);
        progress.hash = hashes++;
        progress.hashed = [];
        // Parts can arrive at several servers, or out of order.
        aheadByProject.delete(upload.project);
      }
      progress.digests++;
      try {
        for (const part of parts.slice(progress.hashed.length)) if (!hash(progress, part)) return undefined;
        return await thread?.digest(progress.hash, signal);
      } catch (error) {
        signal.throwIfAborted();
        // Reading the parts from the storage reports the error.
        if (error instanceof Error) return undefined;
        throw error;
      } finally {
        if (--progress.digests === 0 && signal.aborted && uploads.get(key) === progress) discard(key);
      }
    },
    end(upload, outcome) {
      const { project } = upload;
      if (outcome === 'checked') {
        aheadByProject.delete(project);
        // Ordered by the last upload with a checksum, the oldest project first.
        const [oldest] = aheadByProject.keys();
        if (oldest !== undefined && aheadByProject.size >= maxProjects) aheadByProject.delete(oldest);
        aheadByProject.set(project, uploadsAhead);
      } else if (outcome === 'unchecked') {
        const remaining = (aheadByProject.get(project) ?? 0) - 1;
        if (remaining > 0) aheadByProject.set(project, remaining);
        else aheadByProject.delete(project);
      }
      discard(keyOf(upload));
    },
    async close() {
      uploads.clear();
      await thread?.close();
      thread = undefined;
    },
  };
}
