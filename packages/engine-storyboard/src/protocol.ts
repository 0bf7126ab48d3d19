import { VideoError } from '@modelwire/ports';
import type { VideoVariant } from '@modelwire/schema/types';

/** A part of a video: an extension follows the parts of its source. */
export interface Scene {
  /** The first prompt, then those of its remixes and extensions. */
  readonly prompts: readonly string[];
  readonly seconds: number;
  readonly isExtension: boolean;
}

/** A rendering job, as it is sent to the process that renders it. */
export interface RenderJob {
  readonly scenes: readonly Scene[];
  readonly seed: number;
  /** Pixels, even. */
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly reference: Uint8Array | undefined;
  readonly maxReferencePixels: number;
}

/** The first one of a job with a reference image is its checkpoint. */
export type Report =
  | { readonly type: 'checkpoint'; readonly text: string }
  | { readonly type: 'progress'; readonly frames: number; readonly of: number }
  | { readonly type: 'variant'; readonly variant: VideoVariant; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  /** An error with a code is shown to the caller. */
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string };

/** Start of a checkpoint: a small copy of the reference image, from which a remix starts. */
export const checkpointPrefix = 'data:image/webp;base64,';

/** Why an input image cannot be used. */
export function invalidReference(why: string): VideoError {
  return new VideoError('invalid_input_reference', `The input reference cannot be used: ${why}.`);
}
