import type { Socket } from 'node:net';
import { malformedReply } from './exchange.ts';
import type { ReplyControl, ReplyHandler, ReplyHeaders } from './exchange.ts';
import { ResponseParser } from './response-parser.ts';
import type { ResponseListener } from './response-parser.ts';

/** A serialised request and the handler of its reply. */
export interface PendingRequest {
  /** The request line and the headers, including the empty line, in Latin-1. */
  readonly head: string;
  readonly body: string;
  /** Whether the body is ASCII only. */
  readonly isAscii: boolean;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly handler: ReplyHandler;
  /** Opened for it, and the one it is sent on when that is connected. */
  connection?: Connection;
}

/** The owner of a connection. */
export interface ConnectionOwner {
  /** The connection can take the next request. */
  onFree(connection: Connection): void;
  onClose(connection: Connection): void;
}

/** How long an idle connection is kept if the server does not send its keep-alive timeout. */
const defaultKeepAliveMs = 4_000;
/** Maximum, regardless of the keep-alive timeout of the server. */
const maxKeepAliveMs = 600_000;
/** Idle connections are closed this much earlier than the server would close them, so that no request is lost. */
const keepAliveMarginMs = 2_000;
/** Longer requests are not concatenated before they are written. */
const maxJoinedLength = 64 * 1024;

/** A connection to an upstream with one request at a time. */
export class Connection implements ResponseListener {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser(this);
  #phase: 'connecting' | 'free' | 'headers' | 'body' | 'closed' = 'connecting';
  /** The request that waits for the connection, or is in progress. */
  #exchange: Exchange | undefined;
  /** The request to send when the connection is established. */
  #firstRequest: PendingRequest | undefined;
  /** Deadline of the current wait, in terms of `performance.now()`. */
  #deadline: number;
  /** The deadline that had passed at the last check. */
  #expiredDeadline = 0;
  /** The header `keep-alive` of the last reply, and how long it lets the connection be kept. */
  #keepAliveHeader: string | string[] | undefined;
  #keepAliveMs = defaultKeepAliveMs;
  #isReferenced = true;
  #error: Error | undefined;

  /** `connected`: the event of the socket that says that it is ready. What it reads is passed to `receive` by the caller. */
  constructor(
    owner: ConnectionOwner,
    socket: Socket,
    connectedEvent: 'connect' | 'secureConnect',
    connectMs: number,
    firstRequest: PendingRequest,
  ) {
    this.#owner = owner;
    this.#socket = socket;
    this.#deadline = performance.now() + connectMs;
    this.#exchange = new Exchange(this, firstRequest);
    this.#firstRequest = firstRequest;
    firstRequest.connection = this;
    socket.once(connectedEvent, () => this.#onSocketConnect());
    socket.on('end', () => this.#onSocketEnd());
    socket.on('error', (error) => (this.#error ??= error));
    socket.on('close', () => this.#onSocketClose());
  }

  /** Whether it can be used for a request: not, for instance, after it was idle for longer than the server keeps it open. */
  isUsable(now: number): boolean {
    return this.#phase === 'free' && now < this.#deadline && !this.#socket.destroyed;
  }

  /** Sends a request on a free connection. */
  send(request: PendingRequest): void {
    const { head, body, isAscii, firstByteMs, handler } = request;
    const exchange = new Exchange(this, request);
    handler.onRequestStart(exchange);
    this.#exchange = exchange;
    this.#phase = 'headers';
    this.#deadline = performance.now() + firstByteMs;
    const socket = this.#socket;
    if (!this.#isReferenced) {
      this.#isReferenced = true;
      socket.ref();
    }
    if (isAscii && body.length <= maxJoinedLength) socket.write(head + body, 'latin1');
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body, 'utf8');
      socket.uncork();
    }
  }

  /** Stops connecting for this request. */
  cancel(request: PendingRequest): void {
    if (request !== this.#firstRequest) return;
    this.#firstRequest = this.#exchange = undefined;
    this.close();
  }

  close(): void {
    this.#phase = 'closed';
    this.#socket.destroy();
  }

  /**
   * Enforces the deadline. It has to have passed at two consecutive checks: after the event loop was blocked, data that arrived in time has not
   * been read yet.
   */
  check(now: number): void {
    if (now < this.#deadline) {
      // An idle connection does not keep the process alive.
      if (this.#phase === 'free' && this.#isReferenced) {
        this.#isReferenced = false;
        this.#socket.unref();
      }
    } else if (this.#phase === 'free') this.close();
    else if (this.#expiredDeadline === this.#deadline) this.#fail(createError('ETIMEDOUT'));
    else this.#expiredDeadline = this.#deadline;
  }

  /** Called with what was read from the socket. The connection keeps the bytes, and changes them. */
  receive(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (this.#phase === 'closed') return;
    // Unexpected bytes would be taken for the reply to the next request.
    if (!exchange) {
      this.close();
      return;
    }
    try {
      this.#parser.push(bytes);
    } catch {
      this.#fail(createError(malformedReply));
      return;
    }
    if (this.#phase === 'body' && !exchange.paused) this.#deadline = performance.now() + exchange.idleMs;
  }

  onHeaders(status: number, headers: ReplyHeaders): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    if (status >= 200) {
      this.#phase = 'body';
      const keepAlive = headers['keep-alive'];
      if (keepAlive !== this.#keepAliveHeader) {
        this.#keepAliveHeader = keepAlive;
        this.#keepAliveMs = typeof keepAlive === 'string' ? parseKeepAliveMs(keepAlive) : defaultKeepAliveMs;
      }
    }
    exchange.handler.onResponseStart(exchange, status, headers);
  }

  onData(bytes: Buffer): void {
    const exchange = this.#exchange;
    exchange?.handler.onResponseData(exchange, bytes);
  }

  onComplete(isReusable: boolean): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    if (exchange.paused) this.#socket.resume();
    // A reply that arrived before its request was sent completely: the connection cannot be reused.
    const isSent = this.#socket.writableLength === 0;
    if (isReusable && isSent && this.#keepAliveMs > 0 && !this.#socket.destroyed) {
      this.#phase = 'free';
      this.#deadline = performance.now() + this.#keepAliveMs;
    } else this.close();
    exchange.handler.onResponseEnd(exchange, {});
    if (this.#phase === 'free') this.#owner.onFree(this);
  }

  /** Called by the request in progress. */
  abort(exchange: Exchange): void {
    if (exchange !== this.#exchange) return;
    this.#exchange = undefined;
    this.close();
  }

  pause(exchange: Exchange): void {
    if (exchange !== this.#exchange) return;
    this.#deadline = Infinity;
    this.#socket.pause();
  }

  resume(exchange: Exchange): void {
    if (exchange !== this.#exchange) return;
    this.#deadline = performance.now() + exchange.idleMs;
    this.#socket.resume();
  }

  #onSocketConnect(): void {
    const firstRequest = this.#firstRequest;
    if (this.#phase !== 'connecting' || !firstRequest) return;
    this.#firstRequest = this.#exchange = undefined;
    this.#phase = 'free';
    this.#deadline = performance.now() + this.#keepAliveMs;
    this.send(firstRequest);
  }

  #onSocketEnd(): void {
    this.#parser.end();
    this.#fail(createError('ECONNRESET'));
  }

  #fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.close();
    exchange?.handler.onResponseError(exchange, error);
  }

  #onSocketClose(): void {
    this.#fail(this.#error ?? createError('ECONNRESET'));
    this.#owner.onClose(this);
  }
}

/** Control of a request in progress for its handler. Does not retain the body, which may be large, while the reply arrives. */
class Exchange implements ReplyControl {
  readonly handler: ReplyHandler;
  readonly idleMs: number;
  readonly #connection: Connection;
  #isPaused = false;

  constructor(connection: Connection, { handler, idleMs }: PendingRequest) {
    this.#connection = connection;
    this.handler = handler;
    this.idleMs = idleMs;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
    this.#connection.pause(this);
  }

  resume(): void {
    this.#isPaused = false;
    this.#connection.resume(this);
  }

  abort(): void {
    this.#connection.abort(this);
  }
}

function createError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** How long an idle connection can be kept, by the header `keep-alive`. */
function parseKeepAliveMs(keepAlive: string): number {
  const seconds = /(?:^|,)\s*timeout\s*=\s*(\d+)/i.exec(keepAlive)?.[1];
  return seconds === undefined
    ? defaultKeepAliveMs
    : Math.min(Number(seconds) * 1000 - keepAliveMarginMs, maxKeepAliveMs);
}
