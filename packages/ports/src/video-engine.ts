import type { VideoVariant } from '@modelwire/schema/types';
import type { ListedModel } from './listed-model.ts';
import type { UpstreamObserver } from './observation.ts';

export interface VideoModel extends ListedModel {
  /** `<width>x<height>`, the default first. */
  readonly sizes: readonly string[];
  /** The default first. */
  readonly seconds: readonly string[];
  /** Maximum length of a video with its extensions. Undefined: unlimited. */
  readonly maxSeconds?: number | undefined;
  /** Whether it supports a reference image. */
  readonly inputReference: boolean;
  /** Whether it can start from a completed video. */
  readonly remix: boolean;
  /** Whether it can continue a completed video. */
  readonly extend: boolean;
  /** Whether it does so also with videos that clients upload. */
  readonly videoInput: boolean;
}

interface AnyVideo {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Of an extension: the length of the part that follows the source, which is included in `seconds`. Undefined for other videos. */
  readonly extensionSeconds: number | undefined;
  readonly seed: number;
  /** The video of which it is a remix or an extension. */
  readonly source: VideoSource | undefined;
}

/** The source video of a remix or an extension, with its parameters and bytes. */
export interface VideoSource extends AnyVideo {
  /** The last checkpoint that the engine saved for it. */
  readonly checkpoint: string | undefined;
  read(variant: VideoVariant): AsyncIterable<Uint8Array>;
}

/** A video that the client uploaded, to start from: an MP4 file. */
export interface UploadedVideo {
  read(): AsyncIterable<Uint8Array>;
}

export interface VideoJob extends AnyVideo {
  /** In place of `source`. */
  readonly uploadedSource: UploadedVideo | undefined;
  /** The media type was determined from the bytes. */
  readonly inputReference: { readonly mediaType: string; readonly bytes: Uint8Array } | undefined;
}

/** The context of one rendering. */
export interface VideoContext {
  /**
   * Aborts when the video is not needed any more (the reason is then a `VideoError` with the code `deleted` for a deleted video, or a
   * `RequestError` for a revoked key), when the server stops, and when another server has claimed the job.
   */
  readonly signal: AbortSignal;
  /** Reports progress in percent, from 0 to 100. Can be called any number of times. */
  progress(percent: number): void;
  /** The last checkpoint, after a restart. */
  readonly checkpoint: string | undefined;
  /** Saves a checkpoint that survives restarts, for instance the ID of a job elsewhere. Durable when it resolves. */
  saveCheckpoint(memory: string): Promise<void>;
  /** Stores one variant; a further call replaces it. `video` is required, the others are optional. */
  save(variant: VideoVariant, mediaType: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Records the name of the upstream that the engine uses, for the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** Engines report their requests to upstreams here, for metrics and traces. Undefined if nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
}

/**
 * Renders videos. Throws a `VideoError` for failures that the client may see, and a `VideoRetry` for temporary ones; any other error fails
 * the job without details.
 */
export interface VideoEngine {
  readonly name: string;
  /** Whether its models run in another process: its requests to that process get trace headers. Default false. */
  readonly isRemote?: boolean;
  models(): readonly VideoModel[];
  /** A model that `models` does not list, for engines whose models cannot be listed. Called if no engine lists the ID. */
  resolveModel?(id: string): VideoModel | undefined;
  /** Maximum number of videos that it renders at once. Default 1. */
  readonly concurrency?: number;
  /** Resolves when all variants are saved. May be called again for the same job, after a crash or a `VideoRetry`. */
  render(job: VideoJob, context: VideoContext): Promise<void>;
  close?(): Promise<void>;
}

/** Why a video failed: `error` of the Video object. */
export class VideoError extends Error {
  override readonly name: string = 'VideoError';
  readonly code: string;

  constructor(code: string, message: string, init: { readonly cause?: unknown } = {}) {
    super(message, init);
    this.code = code;
  }
}

/** A temporary failure: the job is retried later, with its checkpoint. After too many attempts the job fails with this error. */
export class VideoRetry extends VideoError {
  override readonly name: string = 'VideoRetry';
}
