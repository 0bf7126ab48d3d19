import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseInit } from './request-adapter.ts';

/** Longer whole answers are sent in pieces, so that a slow reader that makes progress is told from one that reads nothing. */
const maxWholeBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/** Milliseconds that what is still being sent is read, after it was refused. */
const lingerMs = 5000;

/** Told of an answer that could not be written. */
type Report = (what: string, error: unknown) => void;

export interface WriteOptions {
  /** The client was never told to send its body (`100 Continue`), so none will arrive. */
  readonly expectsContinue: boolean;
  readonly report: Report;
  /** Milliseconds that the reader may take nothing before its connection is closed. */
  readonly writeTimeoutMs: number;
}

export function writeResponse(
  { status, headers, body }: ResponseInit,
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue, report, writeTimeoutMs }: WriteOptions,
): void {
  if (response.destroyed) {
    if (typeof body !== 'string') body.cancel(undefined);
    return;
  }
  const refused = !request.complete;
  if (refused) headers['connection'] = 'close';
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body);
    headers['content-length'] = String(length);
    response.writeHead(status, headers);
    if (refused && !expectsContinue) linger(body, request, response, writeTimeoutMs);
    else if (length > maxWholeBytes) void pump(piecesOf(Buffer.from(body)), response, writeTimeoutMs);
    else endTogether({ response, body, report, writeTimeoutMs });
    return;
  }
  if (refused) drop(request);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    body.cancel(undefined);
    response.end();
  } else {
    response.once('close', () => body.cancel(undefined));
    body.onStall(() => response.destroy());
    void pump(body, response, writeTimeoutMs);
  }
}

/**
 * Answers whoever is still sending, and goes on reading until they have seen it. Closing with their bytes unread makes the
 * system reset the connection, and the reset overtakes the answer: they would see a broken pipe, not the reason.
 */
function linger(body: string, request: IncomingMessage, response: ServerResponse, writeTimeoutMs: number): void {
  // All of it, as `content-length` says; only the end is kept back, at which Node would close.
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
    destroyUnread(response, writeTimeoutMs);
  };
  const timer = setTimeout(end, lingerMs);
  request.once('end', end);
  response.once('close', () => clearTimeout(timer));
  drop(request);
}

function drop(request: IncomingMessage): void {
  request.removeAllListeners('data');
  request.resume();
}

interface Ending {
  readonly response: ServerResponse;
  readonly body: string;
  readonly report: Report;
  readonly writeTimeoutMs: number;
}

let endings: Ending[] = [];

/**
 * Whole answers of one turn of the event loop leave together at its end. A write that finds its reader asleep costs two or three
 * times one that finds it awake: at 16 connections this took a create from 66 to 40 µs.
 */
function endTogether(ending: Ending): void {
  if (endings.push(ending) === 1) setImmediate(endAll);
}

function endAll(): void {
  const all = endings;
  endings = [];
  for (const { response, body, report, writeTimeoutMs } of all) {
    try {
      response.end(body);
      destroyUnread(response, writeTimeoutMs);
    } catch (error) {
      // Others' answers leave all the same.
      response.destroy();
      report('an answer could not be written', error);
    }
  }
}

/** Closes the connection of an ended answer when its reader does not take the rest of it in time. */
function destroyUnread(response: ServerResponse, writeTimeoutMs: number): void {
  // As a rule the operating system has taken all of it by now.
  if (response.writableLength === 0 || response.destroyed) return;
  const stop = destroyAfter(response, writeTimeoutMs);
  response.once('finish', stop);
  response.once('close', stop);
}

/** Closes the connection of an answer after a time, unless it is stopped. Gives what stops it. */
function destroyAfter(response: ServerResponse, ms: number): () => void {
  const timer = setTimeout(() => {
    // An answer without its socket waits for the one before it on the same connection (HTTP pipelining).
    if (!response.socket && !response.req.socket.destroyed) timer.refresh();
    else response.destroy();
  }, ms);
  return () => clearTimeout(timer);
}

interface Pieces {
  next(): Promise<string | Uint8Array | undefined>;
}

function piecesOf(bytes: Uint8Array): Pieces {
  let offset = 0;
  return {
    async next() {
      const piece = bytes.subarray(offset, offset + pieceBytes);
      offset += piece.byteLength;
      return piece.byteLength > 0 ? piece : undefined;
    },
  };
}

/** Sends pieces as fast as the reader takes them, and closes its connection when it takes none for `writeTimeoutMs`. */
async function pump(pieces: Pieces, response: ServerResponse, writeTimeoutMs: number): Promise<void> {
  let wake: (() => void) | undefined;
  response.on('drain', () => wake?.());
  response.once('close', () => wake?.());
  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = destroyAfter(response, writeTimeoutMs);
      wake = () => {
        stop();
        resolve();
      };
    });
  try {
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained();
    }
    response.end();
    destroyUnread(response, writeTimeoutMs);
  } catch {
    // What cannot be sent whole must not look whole.
    response.destroy();
  }
}
