import type { Video, VideoVariant } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { Lease } from './job-store.ts';
import type { Page, PageQuery } from './page.ts';

export interface VideoContent {
  readonly mediaType: string;
  readonly content: readonly BlobSegment[];
}

/** Of a video, what only the servers see. */
export interface VideoWork {
  readonly keyId: string | undefined;
  /** What the engine draws with: the same prompt and seed give the same video. */
  readonly seed: number;
  /** The image to start from; undefined when there is none, or the video has ended. */
  readonly inputReference: VideoContent | undefined;
}

export interface VideoRecord {
  readonly video: Video;
  readonly work: VideoWork;
  /** What the engine asked to be remembered, over restarts. */
  readonly memory: string | undefined;
  /** Empty until it is completed. */
  readonly contents: Readonly<Partial<Record<VideoVariant, VideoContent>>>;
  /** Grows with each change. */
  readonly version: number;
}

/** Videos of one project: no call sees or touches another project's. */
export interface VideoStore {
  /** With a job of kind `video`, due at once; takes the reservation of the input reference. Durable when it resolves. */
  create(record: Pick<VideoRecord, 'video' | 'work'>): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Videos that expired by `now` (Unix seconds) are left out. Undefined when there is no video `after`, and was none within the last day. */
  list(query: PageQuery & { readonly now: number }): Promise<Page<Video> | undefined>;
  get(id: string): Promise<VideoRecord | undefined>;
  /** The worker's: state and progress, and what the engine wants remembered where given. False when the lease was lost. */
  update(video: Video, init: { readonly lease: Lease; readonly memory?: string | undefined }): Promise<boolean>;
  /**
   * Ends it, completed or failed: writes it, takes the reservations of its contents, removes the job, in one commit. The image that it
   * started from is no longer of use: its bytes become due `dueAfterMs` milliseconds later. False when the lease was lost.
   */
  end(
    video: Video,
    init: { readonly lease: Lease; readonly contents: VideoRecord['contents']; readonly dueAfterMs: number },
  ): Promise<boolean>;
  /** With its job; bytes become due `dueAfterMs` milliseconds later. False when there was none. */
  delete(id: string, dueAfterMs: number): Promise<boolean>;
}
