import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventPipe } from '../event-pipe.ts';
import type { BytePipe } from './byte-pipe.ts';
import type { Outgoing } from './incoming.ts';

/** Milliseconds that what is still being sent is read, after it was refused. */
const lingerMs = 5000;

/** Told of an answer that could not be written. */
type Report = (what: string, error: unknown) => void;

/** `waits`: the sender was never told that its body is wanted, so there is none to come. */
export function writeNode(
  { status, headers, body }: Outgoing,
  request: IncomingMessage,
  response: ServerResponse,
  { waits, report }: { readonly waits: boolean; readonly report: Report },
): void {
  if (response.destroyed) {
    if (typeof body !== 'string') body.cancel(undefined);
    return;
  }
  const refused = !request.complete;
  if (refused) headers['connection'] = 'close';
  if (typeof body === 'string') {
    headers['content-length'] = String(Buffer.byteLength(body));
    response.writeHead(status, headers);
    if (refused && !waits) linger(body, request, response);
    else endTogether({ response, body, report });
    return;
  }
  if (refused) drop(request);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    body.cancel(undefined);
    response.end();
  } else void pump(body, response);
}

/**
 * Answers whoever is still sending, and goes on reading until they have seen it. Closing with their bytes unread makes the
 * system reset the connection, and the reset overtakes the answer: they would see a broken pipe, not the reason.
 */
function linger(body: string, request: IncomingMessage, response: ServerResponse): void {
  // All of it, as `content-length` says; only the end is kept back, at which Node would close.
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
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
  for (const { response, body, report } of all) {
    try {
      response.end(body);
    } catch (error) {
      // Others' answers leave all the same.
      response.destroy();
      report('an answer could not be written', error);
    }
  }
}

async function pump(pipe: EventPipe | BytePipe, response: ServerResponse): Promise<void> {
  let wake: (() => void) | undefined;
  response.on('drain', () => wake?.());
  response.once('close', () => {
    pipe.cancel(undefined);
    wake?.();
  });
  pipe.onStall(() => response.destroy());
  try {
    for (let piece = await pipe.next(); piece !== undefined; piece = await pipe.next()) {
      if (!response.write(piece) && !response.destroyed) await new Promise<void>((resolve) => (wake = resolve));
    }
    response.end();
  } catch {
    // What cannot be sent whole must not look whole.
    response.destroy();
  }
}
