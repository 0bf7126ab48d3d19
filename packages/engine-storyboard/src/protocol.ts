import type { VideoVariant } from '@modelwire/schema/types';

/** What one rendering needs; it goes to the process that renders. */
export interface Work {
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
  /** A program to encode with instead of the embedded encoder, and a folder for its files. */
  readonly ffmpeg: { readonly program: string; readonly folder: string } | undefined;
}

export type Report =
  /** The reference, made small, in a text: a remix starts from it. */
  | { readonly type: 'memory'; readonly text: string }
  /** All that came from outside is read. */
  | { readonly type: 'drawing' }
  | { readonly type: 'progress'; readonly frames: number; readonly of: number }
  | { readonly type: 'variant'; readonly variant: VideoVariant; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  /** With a code, the caller may see it. */
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string };
