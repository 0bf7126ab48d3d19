import type { VideoVariant } from '@modelwire/schema/types';

/** A rendering job, as it is sent to the process that renders it. */
export interface RenderJob {
  /** The first prompt, then those of its remixes. */
  readonly prompts: readonly string[];
  readonly seed: number;
  /** Pixels, even. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly framesPerSecond: number;
  readonly reference: Uint8Array | undefined;
  readonly maxReferencePixels: number;
}

export type Report =
  /** The checkpoint: a small copy of the reference image as text, from which a remix starts. */
  | { readonly type: 'checkpoint'; readonly text: string }
  /** The reference image has been decoded. */
  | { readonly type: 'drawing' }
  | { readonly type: 'progress'; readonly frames: number; readonly of: number }
  | { readonly type: 'variant'; readonly variant: VideoVariant; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  /** An error with a code is shown to the caller. */
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string };
