import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of `node:http` as a web-standard one. `bytes`: its body, where it was read already. */
export function webRequest(request: IncomingMessage, signal: AbortSignal, bytes?: Uint8Array<ArrayBuffer>): Request {
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

/** Aborts when whoever asked has left. */
export function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

/** Answers, and breaks off where the body does. */
export async function writeWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, [...answer.headers].flat());
  if (!answer.body) {
    response.end();
    return;
  }
  try {
    for await (const piece of answer.body as ReadableStream<Uint8Array>) {
      if (!response.write(piece) && !response.destroyed) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    response.destroy();
  }
}

export function drained(response: ServerResponse): Promise<void> {
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
