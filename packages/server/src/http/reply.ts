import type { CachedResponse } from '@modelwire/ports';
import type { BytePipe } from '../streaming/byte-pipe.ts';
import type { EventPipe, StreamedReply } from '../streaming/event-pipe.ts';

export const json = 'application/json';
export const eventStream = 'text/event-stream; charset=utf-8';

/** A JSON body. */
export interface JsonReply<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  /** The serialized body, if the handler has serialized it. */
  readonly json?: string;
}

/** The stored response of an idempotency key. */
export interface CachedReply {
  readonly status: number;
  readonly cached: CachedResponse;
  readonly isReplayed: boolean;
}

/** Bytes, such as the content of a file. */
export interface BytesReply {
  readonly status: number;
  readonly bytes: BytePipe;
  readonly headers: Readonly<Record<string, string>>;
  readonly done: Promise<unknown>;
}

/**
 * The reply of a handler. `done` of a streamed reply resolves when its source has ended, failed or was cancelled; with the error if it
 * failed. It never rejects.
 */
export type Reply = JsonReply | CachedReply | StreamedReply | BytesReply;

/** The response. Headers are a plain object, which adapters write unchanged. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | EventPipe | BytePipe;
}
