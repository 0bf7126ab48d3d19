import type { EncoderFormat } from './encoding/formats.ts';
import type { VoicePreset } from './voices.ts';

/** Messages to the thread, sent one at a time. The thread responds to each. */
export type Order =
  | { readonly type: 'begin'; readonly utterance: number; readonly format: EncoderFormat; readonly bitrate: number }
  | { readonly type: 'say'; readonly utterance: number; readonly text: string; readonly voice: VoicePreset }
  | { readonly type: 'end'; readonly utterance: number }
  | { readonly type: 'drop'; readonly utterance: number };

export type Done =
  /** `samples`: how many of them there are in all by now. */
  | { readonly type: 'done'; readonly bytes: Uint8Array; readonly samples: number }
  | { readonly type: 'failed'; readonly error: Error };
