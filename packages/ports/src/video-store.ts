import type { Video, VideoVariant } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { Lease } from './job-store.ts';
import type { Page, PageQuery } from './page.ts';
import type { RequestTrace } from './request-trace.ts';

export interface VideoContent {
  readonly mediaType: string;
  readonly content: readonly BlobSegment[];
}

/** Server-side state of a video, which clients do not see. */
export interface VideoWork extends RequestTrace {
  readonly keyId: string | undefined;
  /** Random seed: the same prompt and seed give the same video. */
  readonly seed: number;
  /** Of an extension: the length of the part that follows the source, in seconds. */
  readonly extensionSeconds: number | undefined;
  /** The uploaded video from which it starts; undefined if there is none, or the video has ended. */
  readonly uploadedSource: VideoContent | undefined;
  /** The reference image; undefined if there is none, or the video has ended. */
  readonly inputReference: VideoContent | undefined;
}

export interface VideoRecord {
  readonly video: Video;
  readonly work: VideoWork;
  /** The last checkpoint of the engine. */
  readonly checkpoint: string | undefined;
  /** Empty until it is completed. */
  readonly contents: Readonly<Partial<Record<VideoVariant, VideoContent>>>;
  /** Incremented by each change. */
  readonly version: number;
}

/** Videos of one project. No method reads or changes those of another project. */
export interface VideoStore {
  /**
   * Stores the video with a job of kind `video`, due immediately, and takes over the reservations of its inputs. Durable when it
   * resolves.
   */
  create(record: Pick<VideoRecord, 'video' | 'work'>): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Videos that expired by `now` (Unix seconds) are left out. Undefined when there is no video `after`, and was none within the last day. */
  list(query: PageQuery & { readonly now: number }): Promise<Page<Video> | undefined>;
  get(id: string): Promise<VideoRecord | undefined>;
  /** Stores status and progress, and a checkpoint if there is a new one. Called by the worker. Returns false if the lease was lost. */
  update(video: Video, init: { readonly lease: Lease; readonly checkpoint?: string | undefined }): Promise<boolean>;
  /**
   * Ends the video, completed or failed: stores it, takes over the reservations of its contents and removes the job, in one commit. The
   * inputs are no longer needed: their bytes become due `dueAfterMs` milliseconds later. Returns false if the lease was lost.
   */
  end(
    video: Video,
    init: { readonly lease: Lease; readonly contents: VideoRecord['contents']; readonly dueAfterMs: number },
  ): Promise<boolean>;
  /** Deletes the video with its job; its bytes become due `dueAfterMs` milliseconds later. Returns false if it does not exist. */
  delete(id: string, dueAfterMs: number): Promise<boolean>;
}
