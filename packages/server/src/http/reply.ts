import type { CachedResponse } from '@modelwire/ports';
import type { BytePipe } from '../streaming/byte-pipe.ts';
import type { StreamedReply } from '../streaming/event-pipe.ts';

export const json = 'application/json';
export const eventStream = 'text/event-stream; charset=utf-8';

/**
 * The reply of a handler: JSON, events, bytes, or a stored response. `done` of a streamed reply resolves when its source has ended, failed
 * or was cancelled; with the error if it failed. It never rejects.
 */
export type Reply =
  /** `json` is the serialized body, if the handler has serialized it. */
  | { readonly status: number; readonly body: unknown; readonly json?: string }
  | { readonly status: number; readonly cached: CachedResponse; readonly isReplayed: boolean }
  | StreamedReply
  | {
      readonly status: number;
      readonly bytes: BytePipe;
      readonly headers: Readonly<Record<string, string>>;
      readonly done: Promise<unknown>;
    };
