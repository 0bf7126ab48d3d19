import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, onTestFinished } from 'vitest';
import { startS3rver } from './servers.ts';
import type { TestServer } from './servers.ts';
import { isSigned } from './signature.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

export type Fault =
  /** Responds here; the server receives nothing. */
  | { readonly type: 'answer'; readonly status: number; readonly body?: string }
  /** Closes the connection; the server receives nothing. */
  | { readonly type: 'drop' }
  /** Forwards the request and closes the connection without the response. */
  | { readonly type: 'lose' }
  /** Closes the connection after this many bytes of the response. */
  | { readonly type: 'cut'; readonly after: number }
  /** Sends this many bytes of the response, and then nothing. */
  | { readonly type: 'stall'; readonly after: number }
  /** Never responds. */
  | { readonly type: 'hang' };

export const answerOf = (status: number, code: string): Fault => ({
  type: 'answer',
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>said</Message></Error>`,
});

export interface FaultyStore {
  readonly options: TestServer['options'];
  /** All requests, in order. */
  readonly received: ReceivedRequest[];
  /** The maximum number of concurrent part uploads. */
  readonly mostParts: () => number;
}

/** One proxy for all tests of a file. */
let behind: Promise<TestServer> | undefined;
afterAll(async () => {
  await (await behind)?.stop();
});

/** s3rver behind a proxy that applies `fault` to each request, or forwards it when its signature is valid. */
export async function faultyStore(fault: (request: ReceivedRequest) => Fault | undefined): Promise<FaultyStore> {
  const { options } = await (behind ??= startS3rver());
  const target = new URL(options.endpoint);
  const received: ReceivedRequest[] = [];
  let parts = 0;
  let mostParts = 0;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { pathname, searchParams } = new URL(incoming.url ?? '/', target);
    const { method = '', headers } = incoming;
    const request = { method, path: pathname, query: searchParams, headers, bytes: body.length };
    received.push(request);
    let wrong = fault(request);
    if (!isSigned(incoming, body, options.secretAccessKey)) wrong ??= answerOf(403, 'SignatureDoesNotMatch');
    if (wrong?.type === 'hang') return;
    if (wrong?.type === 'drop') return void outgoing.destroy();
    if (wrong?.type === 'answer') return void outgoing.writeHead(wrong.status).end(wrong.body);
    // With the host that was signed.
    const passed = ask({ host: target.hostname, port: target.port, method, path: incoming.url, headers });
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    const bytes = await buffer(response);
    if (wrong?.type === 'lose') return void outgoing.destroy();
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    if (wrong?.type === 'cut') outgoing.write(bytes.subarray(0, wrong.after), () => outgoing.destroy());
    else if (wrong?.type === 'stall') {
      outgoing.flushHeaders();
      outgoing.write(bytes.subarray(0, wrong.after));
    } else outgoing.end(bytes);
  }

  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url?.includes('partNumber=') === true) {
      mostParts = Math.max(mostParts, ++parts);
      outgoing.on('close', () => parts--);
    }
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { options: { ...options, endpoint }, received, mostParts: () => mostParts };
}

/** A fault for the first matching requests, up to this number. */
export function times(
  count: number,
  fault: Fault,
  is: (request: ReceivedRequest) => boolean,
): (request: ReceivedRequest) => Fault | undefined {
  let remaining = count;
  return (request) => (is(request) && remaining-- > 0 ? fault : undefined);
}

export const isWholeObject = ({ method, query }: ReceivedRequest) => method === 'PUT' && query.size === 0;
export const isPart = ({ method, query }: ReceivedRequest) => method === 'PUT' && query.has('partNumber');
export const isComplete = ({ method, query }: ReceivedRequest) => method === 'POST' && query.has('uploadId');
export const isAbortUpload = ({ method, query }: ReceivedRequest) => method === 'DELETE' && query.has('uploadId');
export const isRead = ({ method }: ReceivedRequest) => method === 'GET';
