import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge } from '../../errors.ts';
import { createChunkBuffer } from '../../chunk-buffer.ts';
import { clientDisconnected } from '../../client-connection.ts';
import { decodeText } from '../decode-body.ts';
import type { BodyLimits, RequestAdapter } from './request-adapter.ts';

export interface NodeRequestInit {
  readonly params: Readonly<Record<string, string>>;
  /** Whether the client waits for `100 Continue` before it sends the body (`Expect: 100-continue`). */
  expectsContinue: boolean;
}

/** Adapts a request of `node:http`. */
export function nodeRequest(request: IncomingMessage, response: ServerResponse, init: NodeRequestInit): RequestAdapter {
  return new NodeRequest(request, response, init);
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
  readonly #init: NodeRequestInit;
  #onDisconnect: (() => void) | undefined;
  #onBodyError: ((error: Error) => void) | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, init: NodeRequestInit) {
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    this.params = init.params;
    this.#request = request;
    this.#headers = request.headers;
    this.#response = response;
    this.#init = init;
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#onDisconnect?.();
      this.#onBodyError?.(clientDisconnected());
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
      readText(this.#request, limits, { startReading: (onError) => this.#startReading(onError), resolve, reject });
    });
  }

  bytes(): AsyncIterable<Uint8Array> {
    return readBytes(this.#request, (onError) => this.#startReading(onError));
  }

  onDisconnect(listener: () => void): void {
    this.#onDisconnect = listener;
  }

  #startReading(onError: (error: Error) => void): void {
    this.#onBodyError = onError;
    if (this.#request.destroyed && !this.#request.complete) onError(clientDisconnected());
    else if (this.#init.expectsContinue) {
      this.#init.expectsContinue = false;
      this.#response.writeContinue();
    }
  }
}

type StartReading = (onError: (error: Error) => void) => void;

function readText(
  request: IncomingMessage,
  { maxBytes, reserve, watchdog }: BodyLimits,
  callbacks: {
    readonly startReading: StartReading;
    readonly resolve: (text: string) => void;
    readonly reject: (error: Error) => void;
  },
): void {
  let body = createChunkBuffer();
  function fail(thrown: unknown): void {
    watchedBody.end();
    request.off('data', onData);
    request.off('end', onEnd);
    body = createChunkBuffer();
    callbacks.reject(thrown instanceof Error ? thrown : new Error('a body could not be read', { cause: thrown }));
  }
  function onData(chunk: Buffer): void {
    watchedBody.receive(chunk.length);
    try {
      if (body.length + chunk.length > maxBytes) throw bodyTooLarge(maxBytes);
      // Reserve memory before keeping the chunk.
      reserve(chunk.length);
      body.add(chunk);
    } catch (error) {
      fail(error);
    }
  }
  function onEnd(): void {
    watchedBody.end();
    try {
      callbacks.resolve(decodeText(body.join(), 'The request body'));
    } catch (error) {
      fail(error);
    }
  }
  const watchedBody = watchdog.watch(fail);
  request.on('data', onData);
  request.on('end', onEnd);
  callbacks.startReading(fail);
}

/**
 * The body in chunks, read from the socket on demand. Node's own iterator closes the connection when it ends early, before the error
 * response is sent.
 */
function readBytes(request: IncomingMessage, startReading: StartReading): AsyncIterableIterator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let hasStarted = false;
  let hasEnded = false;
  let failure: Error | undefined;
  let pendingRead: ReturnType<typeof Promise.withResolvers<IteratorResult<Uint8Array>>> | undefined;
  const doneResult = { done: true, value: undefined } as const;

  function onData(chunk: Uint8Array): void {
    if (pendingRead) {
      pendingRead.resolve({ done: false, value: chunk });
      pendingRead = undefined;
    } else {
      chunks.push(chunk);
      request.pause();
    }
  }
  function onEnd(): void {
    hasEnded = true;
    pendingRead?.resolve(doneResult);
    pendingRead = undefined;
  }
  function onError(error: Error): void {
    if (hasEnded) return;
    failure = error;
    pendingRead?.reject(error);
    pendingRead = undefined;
  }
  function finish(): void {
    hasEnded = true;
    request.off('data', onData);
    request.off('end', onEnd);
    request.pause();
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (!hasStarted) {
        hasStarted = true;
        request.on('end', onEnd);
        request.on('data', onData);
        startReading(onError);
      }
      const chunk = chunks.shift();
      if (chunk) return Promise.resolve({ done: false, value: chunk });
      if (failure) return Promise.reject(failure);
      if (hasEnded) return Promise.resolve(doneResult);
      pendingRead = Promise.withResolvers();
      const { promise } = pendingRead;
      request.resume();
      return promise;
    },
    return() {
      if (!hasEnded) finish();
      return Promise.resolve(doneResult);
    },
  };
}
