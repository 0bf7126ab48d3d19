import type { Batch, FileObject, Upload, Video } from '@modelwire/schema/types';
import { expect } from 'vitest';
import type { BatchRecord } from '../../batch-store.ts';
import type { BlobSegment } from '../../blob-ledger.ts';
import type { FileRecord } from '../../file-store.ts';
import type { JobKind, Lease } from '../../job-store.ts';
import type { Stores } from '../../stores.ts';
import type { PartRecord, UploadRecord } from '../../upload-store.ts';
import type { VideoRecord } from '../../video-store.ts';

/** Unix milliseconds, and the same in seconds. */
export const now = 1_700_000_000_000;
export const seconds = now / 1000;
/** Milliseconds, longer than any reservation of the tests. */
export const longReservationMs = 1_000_000_000;
/** In milliseconds. Times of the store's clock are checked to the minute. */
export const minute = 60_000;
/** Milliseconds: a lease that outlasts the tests. */
export const longLeaseMs = 1_000_000_000_000;
/** More than the tests create. */
export const unlimited = 1_000_000;

export const requestTrace = {
  traceHeaders: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' },
  traceId: 'a'.repeat(32),
};

let recordCount = 0;

/** A unique key. */
export function blobKey(): string {
  return `blob_suite${++recordCount}`;
}

/** Segments whose bytes are reserved, so that a record can take them over. */
export async function reservedSegments(
  { ledger }: Stores,
  count = 1,
  ttlMs = longReservationMs,
): Promise<BlobSegment[]> {
  const segments = Array.from({ length: count }, (_, index) => ({
    key: blobKey(),
    bytes: 100 + index,
    // Contents may be without a digest.
    ...(index % 2 === 0 && { sha256: index.toString(16).padStart(64, 'a') }),
  }));
  await Promise.all(segments.map(({ key }) => ledger.reserve(key, ttlMs)));
  return segments;
}

/** Asserts that these bytes become due in this many milliseconds, to the minute. */
export async function expectDue({ ledger }: Stores, segments: readonly BlobSegment[], afterMs: number): Promise<void> {
  const keys = segments.map(({ key }) => key);
  const before = await ledger.due({ withinMs: afterMs - minute, limit: unlimited });
  expect(before.filter((key) => keys.includes(key))).toEqual([]);
  const due = await ledger.due({ withinMs: afterMs, limit: unlimited });
  expect(due.filter((key) => keys.includes(key)).toSorted()).toEqual(keys.toSorted());
}

/** Asserts that a record has taken them over: they are never due. */
export async function expectReferenced({ ledger }: Stores, segments: readonly BlobSegment[]): Promise<void> {
  const due = await ledger.due({ withinMs: 2 * longReservationMs, limit: unlimited });
  expect(due.filter((key) => segments.some((segment) => segment.key === key))).toEqual([]);
}

/** Asserts that their reservations are unchanged: a record can still take them over. */
export async function expectReserved(stores: Stores, segments: readonly BlobSegment[]): Promise<void> {
  await stores.project('of reservations').files.create(fileRecord({}, segments));
}

export function fileRecord(init: Partial<FileObject> = {}, content: readonly BlobSegment[] = []): FileRecord {
  return {
    file: {
      id: `file-suite-${++recordCount}`,
      object: 'file',
      bytes: content.reduce((sum, { bytes }) => sum + bytes, 0),
      created_at: seconds,
      filename: 'a.jsonl',
      purpose: 'batch',
      status: 'processed',
      ...init,
    },
    mediaType: 'application/jsonl',
    content,
  };
}

export function uploadRecord(init: Partial<Upload> = {}): UploadRecord {
  return {
    upload: {
      id: `upload_suite${++recordCount}`,
      object: 'upload',
      created_at: seconds,
      filename: 'a.jsonl',
      bytes: 1000,
      purpose: 'batch',
      status: 'pending',
      expires_at: seconds + 3600,
      ...init,
    },
    mediaType: 'application/jsonl',
    fileExpiresAfter: undefined,
  };
}

export function partRecord(upload: string, segment: BlobSegment, id = `part_suite${++recordCount}`): PartRecord {
  return { part: { id, object: 'upload.part', created_at: seconds, upload_id: upload }, segment };
}

type BatchInit = Pick<BatchRecord, 'work'> & { readonly batch: Batch & Required<Pick<Batch, 'request_counts'>> };

export function batchRecord(init: Partial<Batch> = {}): BatchInit {
  return {
    batch: {
      id: `batch_suite${++recordCount}`,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      input_file_id: 'file-input',
      completion_window: '24h',
      status: 'in_progress',
      created_at: seconds,
      expires_at: seconds + 86_400,
      metadata: { a: '1' },
      ...init,
      request_counts: init.request_counts ?? { total: 10, completed: 0, failed: 0 },
    },
    work: { keyId: 'key_1', outputExpiresAfter: 3600 },
  };
}

export function videoRecord(init: Partial<Video> = {}): Pick<VideoRecord, 'video' | 'work'> {
  return {
    video: {
      id: `video_suite${++recordCount}`,
      object: 'video',
      model: 'small',
      status: 'queued',
      progress: 0,
      created_at: seconds,
      size: '720x1280',
      seconds: '4',
      prompt: 'Bread rises.',
      ...init,
    },
    work: {
      keyId: 'key_1',
      seed: 7,
      extensionSeconds: undefined,
      uploadedSource: undefined,
      inputReference: undefined,
    },
  };
}

const kinds: readonly JobKind[] = ['batch', 'response', 'video', 'webhook'];
/** Claims the job of a record. Other due jobs are claimed as well, and never released. */
export async function leaseOf({ jobs }: Stores, id: string): Promise<Lease> {
  for (;;) {
    const lease = await jobs.claim({ kinds, leaseMs: longLeaseMs });
    if (!lease) throw new Error(`no job of ${id} is due`);
    if (lease.id === id) return lease;
  }
}

/** Claims all jobs, and never releases them. */
export async function claimAllJobs({ jobs }: Stores): Promise<void> {
  while (await jobs.claim({ kinds, leaseMs: longLeaseMs }));
}

/** Another worker takes over the job, as after its lease has expired. */
export async function takeOver(stores: Stores, lease: Lease): Promise<Lease> {
  await stores.jobs.renew(lease, 0);
  return leaseOf(stores, lease.id);
}
