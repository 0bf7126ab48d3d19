import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge } from '../../errors.ts';
import { createPieceBuffer } from '../../piece-buffer.ts';
import { clientDisconnected } from '../../client-connection.ts';
import { decodeText } from '../decode-body.ts';
import type { BodyLimits, RequestAdapter } from './request-adapter.ts';

export interface NodeRequestInit {
  readonly params: Readonly<Record<string, string>>;
  /** Whether the client waits for `100 Continue` before it sends the body (`Expect: 100-continue`). */
  expectsContinue: boolean;
}

/** Adapts a request of `node:http`. */
export function nodeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  arrival: NodeRequestInit,
): RequestAdapter {
  return new NodeRequest(request, response, arrival);
}

/** A class with few listeners, since one is created per request: see docs/decisions/0006. */
class NodeRequest implements RequestAdapter {
  readonly method: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly #request: IncomingMessage;
  /** Kept, since Node computes them in a getter. */
  readonly #headers: IncomingMessage['headers'];
  readonly #response: ServerResponse;
  readonly #arrival: NodeRequestInit;
  #leave: (() => void) | undefined;
  #breakOff: ((error: Error) => void) | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, arrival: NodeRequestInit) {
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    this.params = arrival.params;
    this.#request = request;
    this.#headers = request.headers;
    this.#response = response;
    this.#arrival = arrival;
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#leave?.();
      this.#breakOff?.(clientDisconnected());
    });
  }

  /** A property, since it is passed on without its object. */
  readonly header = (name: string): string | null => {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : null;
  };

  remoteAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  headers(): Iterable<readonly [string, string]> {
    return Object.entries(this.#headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? value : value.join(', ')] as const];
    });
  }

  text(limits: BodyLimits): Promise<string> {
    return new Promise((resolve, reject) => {
      if (Number(this.#headers['content-length'] ?? 0) > limits.maxBytes) {
        reject(bodyTooLarge(limits.maxBytes));
        return;
      }
      readText(this.#request, limits, { begin: (onBreak) => this.#begin(onBreak), resolve, reject });
    });
  }

  bytes(): AsyncIterable<Uint8Array> {
    return bytesOf(this.#request, (onBreak) => this.#begin(onBreak));
  }

  onDisconnect(left: () => void): void {
    this.#leave = left;
  }

  #begin(onBreak: (error: Error) => void): void {
    this.#breakOff = onBreak;
    if (this.#request.destroyed && !this.#request.complete) onBreak(clientDisconnected());
    else if (this.#arrival.expectsContinue) {
      this.#arrival.expectsContinue = false;
      this.#response.writeContinue();
    }
  }
}

type Begin = (onBreak: (error: Error) => void) => void;

function readText(
  request: IncomingMessage,
  { maxBytes, reserve, watch }: BodyLimits,
  on: { readonly begin: Begin; readonly resolve: (text: string) => void; readonly reject: (error: Error) => void },
): void {
  let body = createPieceBuffer();
  function fail(thrown: unknown): void {
    watched.end();
    request.off('data', onData);
    request.off('end', onEnd);
    body = createPieceBuffer();
    on.reject(thrown instanceof Error ? thrown : new Error('a body could not be read', { cause: thrown }));
  }
  function onData(piece: Buffer): void {
    watched.receive(piece.length);
    try {
      if (body.length + piece.length > maxBytes) throw bodyTooLarge(maxBytes);
      // Reserve memory before keeping the piece.
      reserve(piece.length);
      body.add(piece);
    } catch (error) {
      fail(error);
    }
  }
  function onEnd(): void {
    watched.end();
    try {
      on.resolve(decodeText(body.join(), 'The request body'));
    } catch (error) {
      fail(error);
    }
  }
  const watched = watch.watch(fail);
  request.on('data', onData);
  request.on('end', onEnd);
  on.begin(fail);
}

/**
 * The body in pieces, read from the socket on demand. Node's own iterator closes the connection when it ends early, before the error
 * response is sent.
 */
function bytesOf(request: IncomingMessage, begin: Begin): AsyncIterableIterator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let begun = false;
  let ended = false;
  let broken: Error | undefined;
  let waiting: ReturnType<typeof Promise.withResolvers<IteratorResult<Uint8Array>>> | undefined;
  const done = { done: true, value: undefined } as const;

  function onData(piece: Uint8Array): void {
    if (waiting) {
      waiting.resolve({ done: false, value: piece });
      waiting = undefined;
    } else {
      pieces.push(piece);
      request.pause();
    }
  }
  function onEnd(): void {
    ended = true;
    waiting?.resolve(done);
    waiting = undefined;
  }
  function onBreak(error: Error): void {
    if (ended) return;
    broken = error;
    waiting?.reject(error);
    waiting = undefined;
  }
  function finish(): void {
    ended = true;
    request.off('data', onData);
    request.off('end', onEnd);
    request.pause();
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (!begun) {
        begun = true;
        request.on('end', onEnd);
        request.on('data', onData);
        begin(onBreak);
      }
      const piece = pieces.shift();
      if (piece) return Promise.resolve({ done: false, value: piece });
      if (broken) return Promise.reject(broken);
      if (ended) return Promise.resolve(done);
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      request.resume();
      return promise;
    },
    return() {
      if (!ended) finish();
      return Promise.resolve(done);
    },
  };
}
