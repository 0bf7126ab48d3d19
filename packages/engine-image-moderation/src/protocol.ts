import type { DecodeLimits } from './decode.ts';
import type { Probabilities } from './network.ts';

/** Messages to the thread that examines images, one at a time. */
export interface Look {
  readonly bytes: Uint8Array;
  readonly limits: DecodeLimits;
}

/** Results: the scores of each frame, or an error. */
export type Seen =
  | { readonly type: 'seen'; readonly frames: readonly Probabilities[] }
  | { readonly type: 'unreadable' }
  | { readonly type: 'failed'; readonly error: Error };
