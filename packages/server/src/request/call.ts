import type { UsedTier } from '../engine-queue.ts';
import type { EventPipe } from '../event-pipe.ts';
import type { KeptAnswer } from '../ports/idempotency-store.ts';
import type { Principal } from '../ports/authenticator.ts';
import type { Caller } from './caller.ts';
import type { RequestLogEntry } from '../ports/request-log.ts';
import type { BytePipe } from './byte-pipe.ts';
import type { ReceivedFile } from './received-file.ts';

/** Which line of which batch. */
export interface BatchLine {
  readonly batch: string;
  readonly customId: string;
}

/** A log entry while it grows. */
export type Entry = { -readonly [Field in keyof RequestLogEntry]: RequestLogEntry[Field] };

/** Of requests without a form: one for all of them. */
export const noFiles: ReadonlyMap<string, ReceivedFile> = new Map();

/** One authenticated, parsed request, as handlers see it. */
export interface Call<Body = undefined, Query = unknown> {
  readonly requestId: string;
  /** As it was sent: `HEAD` comes to the endpoints of `GET`. */
  readonly method: string;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed by the contract. */
  readonly query: Query;
  readonly body: Body;
  /** The files of a form, by field. Their bytes are kept and reserved: the record that takes them keeps them. */
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** Its signal aborts when the caller leaves before the answer was sent, and when a stopping server waits no longer. */
  readonly caller: Caller;
  /** Headers of the answer; handlers may add some until it begins. */
  readonly responseHeaders: Record<string, string>;
  /** What the log will say; handlers add what they know. */
  readonly entry: Entry;
  /** The tier it is served in, whatever it asks for; undefined where it may ask. */
  readonly tier?: UsedTier | undefined;
  /** Where it is a line of a batch. */
  readonly batchLine?: BatchLine | undefined;
  /** A header of the request, by its lower-case name. */
  readonly header: (name: string) => string | null;
  /** Keeps the request open after its answer began; call what it gives when the stream is over. */
  hold(): () => void;
}

/** What a handler answers: JSON, events (a text when all are there already), bytes, or what was answered before. */
export type Reply =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly kept: KeptAnswer; readonly replayed: boolean }
  | { readonly status: number; readonly events: string | EventPipe }
  | { readonly status: number; readonly bytes: BytePipe; readonly headers: Readonly<Record<string, string>> };
