import type { CachedResponse } from '@modelwire/ports';
import type { BytePipe } from '../streaming/byte-pipe.ts';
import type { EventPipe } from '../streaming/event-pipe.ts';

/**
 * What a handler answers: JSON, events, bytes, or what was answered before. `done` of a reply that is streamed resolves when nothing
 * works on it any more: its source has ended, failed, or was cancelled. It never rejects.
 */
export type Reply =
  /** `json` is the body as text, where the handler has serialized it already. */
  | { readonly status: number; readonly body: unknown; readonly json?: string }
  | { readonly status: number; readonly cached: CachedResponse; readonly isReplayed: boolean }
  /** All events, when they were there at once. */
  | { readonly status: number; readonly events: string }
  | { readonly status: number; readonly events: EventPipe; readonly done: Promise<void> }
  | {
      readonly status: number;
      readonly bytes: BytePipe;
      readonly headers: Readonly<Record<string, string>>;
      readonly done: Promise<void>;
    };
