import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Converts a request of `node:http` to a `Request`. `bytes` is the body if it has been read already. */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal, bytes?: Uint8Array<ArrayBuffer>): Request {
  const { method = 'GET', url = '/', headers } = request;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) sent.append(name, one);
  }
  const bodiless = method === 'GET' || method === 'HEAD';
  const body = bodiless ? null : (bytes ?? (Readable.toWeb(request) as ReadableStream<Uint8Array>));
  const init = { method, headers: sent, body, signal, duplex: 'half' as const };
  return new Request(new URL(url, 'http://localhost'), init);
}

/** A signal that aborts when the client disconnects. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

/** Writes a `Response`; closes the connection when its body fails. */
export async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, [...answer.headers].flat());
  if (!answer.body) {
    response.end();
    return;
  }
  try {
    for await (const piece of answer.body as ReadableStream<Uint8Array>) {
      if (!response.write(piece) && !response.destroyed) await waitForDrain(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    response.destroy();
  }
}

export function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
