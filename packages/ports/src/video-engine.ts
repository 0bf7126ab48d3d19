import type { VideoVariant } from '@modelwire/schema/types';

export interface VideoModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  /** `<width>x<height>`, the default first. */
  readonly sizes: readonly string[];
  /** The default first. */
  readonly seconds: readonly string[];
  /** Whether it takes an image to start from. */
  readonly inputReference: boolean;
}

interface AnyVideo {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly seed: number;
  /** The video of which it is a remix. */
  readonly source: VideoSource | undefined;
}

/** The video that a remix starts from: its parameters and its bytes. */
export interface VideoSource extends AnyVideo {
  /** What the engine had remembered of it. */
  readonly memory: string | undefined;
  read(variant: VideoVariant): AsyncIterable<Uint8Array>;
}

export interface VideoJob extends AnyVideo {
  /** Checked: the type is what the bytes are. */
  readonly inputReference: { readonly mediaType: string; readonly bytes: Uint8Array } | undefined;
}

/** What surrounds one rendering. */
export interface VideoContext {
  /** Aborted when the video is deleted (its reason is then a `VideoError` of code `deleted`), when the server stops, and when another server has taken the job over. */
  readonly signal: AbortSignal;
  /** Per cent that is done, 0 to 100. May be called as often as wanted. */
  progress(percent: number): void;
  /** What was remembered before a restart. */
  readonly memory: string | undefined;
  /** Keeps a text over restarts, for instance the ID of a job elsewhere. Durable when it resolves. */
  remember(memory: string): Promise<void>;
  /** Keeps one variant; a second call for the same replaces it. `video` is wanted; the others where the engine has them. */
  save(variant: VideoVariant, mediaType: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** A video model behind the server kit. Throws a `VideoError` for a failure that the client may see, a `VideoRetry` for one that passes; anything else fails the job without internals. */
export interface VideoEngine {
  readonly name: string;
  models(): readonly VideoModel[];
  /** A model that is served and not listed, for engines whose models nobody could list. Asked where no engine lists it. */
  unlisted?(id: string): VideoModel | undefined;
  /** Videos it works on at once. Default 1. */
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

/** Trouble that passes: the job is tried again later, with what was remembered. One that is tried too often fails with this. */
export class VideoRetry extends VideoError {
  override readonly name: string = 'VideoRetry';
}
