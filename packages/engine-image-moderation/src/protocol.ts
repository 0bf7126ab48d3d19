import type { DecodeLimits } from './decode.ts';
import type { Probabilities } from './network.ts';

/** What goes to the thread that looks at images, one at a time. */
export interface Look {
  readonly bytes: Uint8Array;
  readonly limits: DecodeLimits;
}

/** What comes back: what each frame shows, or why there is nothing. */
export type Seen =
  | { readonly type: 'seen'; readonly frames: readonly Probabilities[] }
  | { readonly type: 'unreadable' }
  | { readonly type: 'failed'; readonly error: Error };
