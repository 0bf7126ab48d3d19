import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Server } from './connect.ts';
import { malformedReply, TransportError, transportErrorCode } from './transport-error.ts';

/** One request to one server. */
export interface OutgoingRequest {
  /** Default: POST. */
  readonly method?: Dispatcher.HttpMethod;
  readonly path: string;
  /** Flat list of names and values. */
  readonly headers: string[];
  /** A function creates the text once a connection is available, so that waiting requests do not hold it in memory. */
  readonly body: string | Readable | null | (() => string | Promise<string>);
  /** Milliseconds until the reply starts. Default: the timeout of the upstream. */
  readonly firstByte?: number;
}

/** Names are lower-case; repeated headers are lists. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A reply whose headers have arrived. The body must be read to its end, released or cancelled. */
export interface Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: ReplyBody;
}

export interface ReplyBody {
  /** Waits until there is something to `take`; false at the end. No promise if that is known at once. Throws a `TransportError`, after all that came before it. */
  ready(): boolean | Promise<boolean>;
  /** All bytes since the last call. */
  take(): readonly Buffer[];
  /** Discards the rest. The connection is kept if the reply ends within a second. */
  release(): void;
  /** Closes the connection. */
  cancel(): void;
}

/** Maximum number of interim replies (status 1xx). */
const maxInterimReplies = 16;
/** Maximum unread bytes; then reading from the connection pauses. */
const highWaterMark = 256 * 1024;
/** Time limit for the rest of a released reply. */
const discardTimeoutMs = 1_000;
/** Longer bodies are sent as streams, which undici does not hold until the reply is complete. */
const maxHeldLength = 16 * 1024;

/**
 * Sends a request as soon as there is a connection for it; resolves with the headers of the reply. When `signal` aborts, the promise or the pending
 * `ready` rejects with its reason, and the connection is closed immediately; one that is still being established is kept for other requests. The
 * reply is not a stream of Node.js, which would take 30 µs more.
 */
export async function exchange(
  { dispatcher, slots }: Pick<Server, 'dispatcher' | 'slots'>,
  { method = 'POST', path, headers, body: givenBody, firstByte }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const freeSlot = await slots?.acquire(signal);
  const body = await textOf(givenBody).catch((error: unknown) => {
    freeSlot?.();
    throw error;
  });
  const isLong = typeof body === 'string' && body.length > maxHeldLength;
  const options = {
    method,
    path,
    headers: isLong ? [...headers, 'content-length', String(Buffer.byteLength(body))] : headers,
    body: isLong ? readOnce(body) : body,
    ...(firstByte !== undefined && { headersTimeout: firstByte }),
  };
  return new Promise((resolve, reject) => {
    const receiver = new Receiver({ signal, resolve, reject, freeSlot });
    if (signal.aborted) receiver.onAbort();
    else dispatcher.dispatch(options, receiver);
  });
}

async function textOf(body: OutgoingRequest['body']): Promise<string | Readable | null> {
  return typeof body === 'function' ? body() : body;
}

/** A stream that does not hold the text after it was read. */
function readOnce(text: string): Readable {
  let rest: string | null = text;
  return new Readable({
    read() {
      this.push(rest);
      rest = null;
    },
  });
}

interface ReceiverInit {
  readonly signal: AbortSignal;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  readonly freeSlot: (() => void) | undefined;
}

/** Collects a reply as it arrives. */
class Receiver implements Dispatcher.DispatchHandler, ReplyBody {
  readonly #init: ReceiverInit;
  #phase: TransportError['phase'] = 'connect';
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #interimReplies = 0;
  #hasEnded = false;
  #isDiscarding = false;
  #error: Error | undefined;
  #reader: PromiseWithResolvers<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(init: ReceiverInit) {
    this.#init = init;
    init.signal.addEventListener('abort', this.onAbort);
  }

  readonly onAbort = (): void => {
    const reason: unknown = this.#init.signal.reason;
    this.#fail(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
    this.#chunks = [];
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The client disconnected before the connection was established: it is kept for other requests.
    if (this.#error !== undefined) throw this.#error;
    this.#phase = 'headers';
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    if (status >= 200) {
      this.#phase = 'body';
      this.#init.resolve({ status, headers, body: this });
      return;
    }
    this.#interimReplies += 1;
    if (status < 100 || status === 101 || this.#interimReplies > maxInterimReplies)
      this.#fail(new TransportError(this.#phase, malformedReply));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDiscarding) return;
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes >= highWaterMark) controller.pause();
    // The reader continues when all bytes of this read have been added.
    this.#reader?.resolve(true);
    this.#reader = undefined;
  }

  onResponseEnd(): void {
    this.#finish();
    this.#reader?.resolve(false);
    this.#reader = undefined;
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(new TransportError(this.#phase, transportErrorCode(error)));
  }

  ready(): boolean | Promise<boolean> {
    if (this.#chunks.length > 0) return true;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#hasEnded) return false;
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  take(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bufferedBytes = 0;
    this.#controller?.resume();
    return chunks;
  }

  release(): void {
    this.#isDiscarding = true;
    this.#chunks = [];
    if (this.#hasEnded) return;
    this.#init.signal.removeEventListener('abort', this.onAbort);
    this.#timer = setTimeout(() => this.cancel(), discardTimeoutMs).unref();
    this.#controller?.resume();
  }

  cancel(): void {
    this.#isDiscarding = true;
    this.#chunks = [];
    this.#fail(new Error('cancelled'));
  }

  #fail(error: Error): void {
    if (this.#hasEnded) return;
    this.#finish();
    this.#error = error;
    this.#init.reject(error);
    this.#reader?.reject(error);
    this.#reader = undefined;
    this.#controller?.abort(error);
  }

  #finish(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#init.signal.removeEventListener('abort', this.onAbort);
    this.#init.freeSlot?.();
  }
}
