import type { IncomingMessage, ServerResponse } from 'node:http';
import { receiveBody, NodeRequest } from './http/adapters/node-request.ts';
import type { HttpResponse } from './http/reply.ts';
import type { ModelwireServer } from './server.ts';

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates a listener for the event `request` of a `node:http` server, which handles requests without converting them to web-standard requests:
 * `createServer(nodeListener(server))`.
 *
 * Node's `requestTimeout` includes the time to receive the complete body, even of large files. Set it to 0: the server itself times out slow
 * clients (`uploadIdleTimeoutMs`, `uploadTimeoutMs`).
 */
export function nodeListener(server: ModelwireServer): NodeListener {
  return listener(server, false);
}

/**
 * Creates a listener for the event `checkContinue`: a client that sends `Expect: 100-continue`, as curl does with files, is asked for its body
 * only if the request is not rejected.
 */
export function nodeContinueListener(server: ModelwireServer): NodeListener {
  return listener(server, true);
}

function listener(server: ModelwireServer, expectsContinue: boolean): NodeListener {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const route = server.findRoute(method, url);
    const init = { params: route.params, expectsContinue };
    // Errors of a response must not end the process: its connection is closed.
    const fail = (error: unknown): void => {
      response.destroy();
      server.report('a response could not be written', error);
    };
    const adapter = new NodeRequest(request, response, init);
    response.on('close', () => {
      if (!response.writableFinished) adapter.disconnect();
    });
    void route.handle(adapter).then((result) => {
      try {
        writeResponse(result, request, response, {
          expectsContinue: init.expectsContinue,
          report: server.report,
          writeTimeoutMs: server.writeTimeoutMs,
        });
      } catch (error) {
        fail(error);
      }
    }, fail);
  };
}

/** Longer complete bodies are sent in chunks, to tell a slow client that makes progress from one that reads nothing. */
const maxSingleWriteBytes = 256 * 1024;
const chunkBytes = 64 * 1024;
/** Milliseconds during which the rest of a refused request body is read and discarded. */
const lingeringCloseMs = 5000;

/** Called if a response could not be written. */
type Report = (what: string, error: unknown) => void;

interface WriteOptions {
  /** The client was not asked to send its body (`100 Continue`), so none will arrive. */
  readonly expectsContinue: boolean;
  readonly report: Report;
  /** Milliseconds that the client may read nothing before its connection is closed. */
  readonly writeTimeoutMs: number;
}

/** @internal Exported for tests. */
export function writeResponse(
  { status, headers, body }: HttpResponse,
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue, report, writeTimeoutMs }: WriteOptions,
): void {
  const isComplete = typeof body === 'string' || body instanceof Uint8Array;
  if (response.destroyed) {
    if (!isComplete) body.cancel(undefined);
    return;
  }
  const isBodyUnread = !request.complete;
  if (isBodyUnread) headers['connection'] = 'close';
  if (isComplete) {
    const length = Buffer.byteLength(body);
    if (status !== 204 && status !== 304) headers['content-length'] = String(length);
    response.writeHead(status, headers);
    if (isBodyUnread && !expectsContinue) lingeringClose(body, request, response, writeTimeoutMs);
    else if (length > maxSingleWriteBytes) void writeChunks(chunksOf(Buffer.from(body)), response, writeTimeoutMs);
    else scheduleEnd({ response, body, isAscii: length === body.length, report, writeTimeoutMs });
    return;
  }
  if (isBodyUnread) discardBody(request);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    body.cancel(undefined);
    response.end();
  } else {
    response.once('close', () => body.cancel(undefined));
    body.onStall(() => response.destroy());
    void writeChunks(body, response, writeTimeoutMs);
  }
}

/**
 * Responds to a client that is still sending, and reads on until the client has received the response. Closing a connection with unread
 * bytes makes the system reset it, and the reset can overtake the response: the client would see a broken pipe instead of the error.
 */
function lingeringClose(
  body: string | Uint8Array,
  request: IncomingMessage,
  response: ServerResponse,
  writeTimeoutMs: number,
): void {
  // The complete body, as `content-length` says. Only the end of the response is delayed, since Node would close the connection.
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
    destroyIfNotRead(response, writeTimeoutMs);
  };
  const timer = setTimeout(end, lingeringCloseMs);
  request.once('end', end);
  response.once('close', () => clearTimeout(timer));
  discardBody(request);
}

function discardBody(request: IncomingMessage): void {
  request.removeAllListeners('readable');
  receiveBody(request, () => undefined);
}

interface PendingResponse {
  readonly response: ServerResponse;
  readonly body: string | Uint8Array;
  readonly isAscii: boolean;
  readonly report: Report;
  readonly writeTimeoutMs: number;
}

let pendingResponses: PendingResponse[] = [];

/**
 * Complete responses of one event-loop turn are sent together at its end. A write to a client process that is asleep costs two to three
 * times one to a process that is awake: with 16 connections this took a create from 66 to 40 µs.
 */
function scheduleEnd(pending: PendingResponse): void {
  if (pendingResponses.push(pending) === 1) setImmediate(endPendingResponses);
}

function endPendingResponses(): void {
  const responses = pendingResponses;
  pendingResponses = [];
  for (const { response, body, isAscii, report, writeTimeoutMs } of responses) {
    try {
      // Latin-1 is copied as it is. UTF-8 is joined with the headers, measured and then converted.
      response.end(body, isAscii ? 'latin1' : 'utf8');
      destroyIfNotRead(response, writeTimeoutMs);
    } catch (error) {
      // The other responses are sent nevertheless.
      response.destroy();
      report('a response could not be written', error);
    }
  }
}

/** Closes the connection of an ended response if the client does not read the rest in time. */
function destroyIfNotRead(response: ServerResponse, writeTimeoutMs: number): void {
  // Usually the operating system has already buffered all of it.
  if (response.writableLength === 0 || response.destroyed) return;
  const cancelTimeout = destroyAfterTimeout(response, writeTimeoutMs);
  response.once('finish', cancelTimeout);
  response.once('close', cancelTimeout);
}

/** Closes the connection of a response after a timeout. Returns a function that cancels it. */
function destroyAfterTimeout(response: ServerResponse, ms: number): () => void {
  const timer = setTimeout(() => {
    // A response without a socket waits for the one before it on the same connection (HTTP pipelining).
    if (!response.socket && !response.req.socket.destroyed) timer.refresh();
    else response.destroy();
  }, ms);
  return () => clearTimeout(timer);
}

interface ChunkSource {
  next(): Promise<string | Uint8Array | undefined>;
}

function chunksOf(bytes: Uint8Array): ChunkSource {
  let offset = 0;
  return {
    async next() {
      const chunk = bytes.subarray(offset, offset + chunkBytes);
      offset += chunk.byteLength;
      return chunk.byteLength > 0 ? chunk : undefined;
    },
  };
}

/** Sends chunks as fast as the client reads them, and closes the connection if it reads nothing for `writeTimeoutMs`. */
async function writeChunks(chunks: ChunkSource, response: ServerResponse, writeTimeoutMs: number): Promise<void> {
  let onDrain: (() => void) | undefined;
  response.on('drain', () => onDrain?.());
  response.once('close', () => onDrain?.());
  const waitForDrain = (): Promise<void> =>
    new Promise((resolve) => {
      const cancelTimeout = destroyAfterTimeout(response, writeTimeoutMs);
      onDrain = () => {
        cancelTimeout();
        resolve();
      };
    });
  try {
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await waitForDrain();
    }
    response.end();
    destroyIfNotRead(response, writeTimeoutMs);
  } catch {
    // Break the connection, so that a truncated response does not look complete.
    response.destroy();
  }
}
