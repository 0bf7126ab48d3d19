import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Converts a request of `node:http` to a `Request`. `bytes` is the body if it has been read already. */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal, bytes?: Uint8Array<ArrayBuffer>): Request {
  const { method = 'GET', url = '/', headers } = request;
  const webHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const item of typeof value === 'string' ? [value] : (value ?? [])) webHeaders.append(name, item);
  }
  const bodiless = method === 'GET' || method === 'HEAD';
  const body = bodiless ? null : (bytes ?? (Readable.toWeb(request) as ReadableStream<Uint8Array>));
  const init = { method, headers: webHeaders, body, signal, duplex: 'half' as const };
  return new Request(new URL(url, 'http://localhost'), init);
}

/** A signal that aborts when the client disconnects. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Writes a `Response`; closes the connection when its body fails. */
export async function writeResponse(webResponse: Response, response: ServerResponse): Promise<void> {
  response.writeHead(webResponse.status, [...webResponse.headers].flat());
  if (!webResponse.body) {
    response.end();
    return;
  }
  try {
    for await (const chunk of webResponse.body as ReadableStream<Uint8Array>) {
      if (!response.write(chunk) && !response.destroyed) await waitForDrain(response);
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
