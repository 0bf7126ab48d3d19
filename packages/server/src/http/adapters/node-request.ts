import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientConnection, clientDisconnected } from '../../limits/client-connection.ts';
import type { HttpRequest } from '../../call.ts';

interface NodeRequestInit {
  readonly params: Readonly<Record<string, string>>;
  /** Whether the client still waits for `100 Continue` before it sends the body. Set to false when the body is requested. */
  expectsContinue: boolean;
}

/** Bytes of a body that are read before they are requested. */
const maxUnreadBytes = 256 * 1024;

/** Adapts a request of `node:http`. Listeners are added only when the body is read. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly originalUrl: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly client = new ClientConnection();
  readonly #request: IncomingMessage;
  /** Kept, since Node computes them in a getter. */
  readonly #headers: IncomingMessage['headers'];
  readonly #response: ServerResponse;
  readonly #init: NodeRequestInit;

  constructor(request: IncomingMessage, response: ServerResponse, init: NodeRequestInit) {
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    // As Express and Connect set it.
    this.originalUrl =
      'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : undefined;
    this.params = init.params;
    this.#request = request;
    this.#headers = request.headers;
    this.#response = response;
    this.#init = init;
  }

  /** Called when the connection is closed before the response was sent. */
  disconnect(): void {
    this.client.abort(clientDisconnected());
  }

  /** A property, since it is passed on without its object. */
  readonly header = (name: string): string | null => headerOf(this.#headers, name);

  remoteAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  headers(): Iterable<readonly [string, string]> {
    return allHeaders(this.#headers);
  }

  /**
   * The body in chunks, read from the socket on demand. Node's own iterator closes the connection when it ends early, before the error
   * response is sent.
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const request = this.#request;
    const chunks: Uint8Array[] = [];
    const source = { hasEnded: false };
    let unreadBytes = 0;
    let stopReceiving: (() => void) | undefined;
    let wake: (() => void) | undefined;

    function receive(chunk: Uint8Array): void {
      unreadBytes += chunk.byteLength;
      // Node stops reading from the socket when the bytes that it buffers are many, too.
      if (chunks.push(chunk) > 1 && unreadBytes > maxUnreadBytes) stop();
      wake?.();
    }
    function stop(): void {
      stopReceiving?.();
      stopReceiving = undefined;
    }
    function onEnd(): void {
      source.hasEnded = true;
      wake?.();
    }
    if (request.destroyed && !request.complete) throw clientDisconnected();
    if (this.#init.expectsContinue) {
      this.#init.expectsContinue = false;
      this.#response.writeContinue();
    }
    request.on('end', onEnd);
    stopReceiving = receiveBody(request, receive);
    try {
      for (;;) {
        for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
          unreadBytes -= chunk.byteLength;
          if (!source.hasEnded) stopReceiving ??= receiveBody(request, receive);
          yield chunk;
        }
        if (source.hasEnded) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      request.off('end', onEnd);
      stop();
    }
  }
}

export function headerOf(headers: IncomingMessage['headers'], name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

export function allHeaders(headers: IncomingMessage['headers']): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value : value.join(', ')] as const];
  });
}

/**
 * Calls `receive` with the bytes of a body of `node:http` as they arrive, so that a body in tiny chunks delays no other request: Node parses
 * ten thousand chunks of one byte from one read of a socket (64 KiB), and would read up to 32 times before other connections have their turn.
 * Here the chunks of one read are passed on together, and the next read is in the next turn of the event loop. Returns a function that stops
 * it.
 */
export function receiveBody(request: IncomingMessage, receive: (bytes: Uint8Array) => void): () => void {
  const { socket } = request;
  let isStopped = false;
  let isWaiting = false;
  // Not the request is paused: the parser would pass on what the socket reads. Node resumes the socket whenever it asks for more of the body.
  const pauseSocket = (): void => void socket.pause();
  function onReadable(): void {
    if (isWaiting) return;
    isWaiting = true;
    if (!request.complete) {
      pauseSocket();
      socket.on('resume', pauseSocket);
    }
    setImmediate(onNextTurn);
  }
  function onNextTurn(): void {
    isWaiting = false;
    socket.off('resume', pauseSocket);
    socket.resume();
    if (isStopped) return;
    const bytes: unknown = request.read();
    if (bytes instanceof Uint8Array) receive(bytes);
  }
  request.on('readable', onReadable);
  return () => {
    isStopped = true;
    request.off('readable', onReadable);
  };
}
