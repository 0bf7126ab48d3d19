import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';

/**
 * `fetch` over node:http. Node.js takes about 30 ms to load its own `fetch`, which would delay the first token. Requests with other bodies
 * than text, and redirects, use the global `fetch`.
 */
export async function nodeFetch(url: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', headers = {}, body, signal } = init;
  if (typeof body !== 'string' && body !== undefined && body !== null) return fetch(url, init);
  const isPlain = !Array.isArray(headers) && !(Symbol.iterator in headers);
  const fields = isPlain ? headers : Object.fromEntries(new Headers(headers));
  // `import` would access all exports of the module, which loads the global `fetch`.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  // The reason of a connection that is closed during a response, for which Node.js only reports "aborted".
  let connectionError: Error = Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' });
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: {
        ...fields,
        'accept-encoding': 'identity',
        // Node.js omits it for methods without a usual body, such as DELETE.
        ...(body && { 'content-length': Buffer.byteLength(body) }),
      },
      ...(signal && { signal }),
    });
    outgoing.once('response', resolve);
    const fail = (): void => {
      // The same error as the global `fetch`.
      reject(new TypeError('fetch failed', { cause: connectionError }));
    };
    outgoing.on('error', (error) => {
      connectionError = error;
      fail();
    });
    // There is no error event if the server switches protocols.
    outgoing.once('close', fail);
    outgoing.end(body ?? undefined);
  });
  const { statusCode: status = 0, headers: responseHeaders } = message;
  if ([301, 302, 303, 307, 308].includes(status) && responseHeaders.location !== undefined) {
    message.destroy();
    return fetch(...redirected(url, init, status, responseHeaders.location));
  }
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  if (isEmpty) message.resume();
  return responseOf(url, status, message, isEmpty ? null : streamOf(decoded(message), () => connectionError));
}

/** The request to the target of a redirect, by the rules of the Fetch standard. Credentials are not sent to another origin. */
function redirected(url: string, init: RequestInit, status: number, location: string): [URL, RequestInit] {
  const to = new URL(location, url);
  const headers = new Headers(init.headers);
  if (to.origin !== new URL(url).origin) for (const name of ['authorization', 'cookie', 'host']) headers.delete(name);
  const keepsBody = status >= 307 || (status !== 303 && init.method !== 'POST');
  if (keepsBody) return [to, { ...init, headers }];
  headers.delete('content-type');
  return [to, { ...init, method: 'GET', headers, body: null }];
}

/** Decompresses the body, in case a server compresses it although it was not asked to. */
function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase();
  if (encoding === undefined || encoding === 'identity') return message;
  const { createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib');
  const decoders = new Map([
    ['gzip', createGunzip],
    ['x-gzip', createGunzip],
    ['deflate', createInflate],
    ['br', createBrotliDecompress],
  ]);
  const decoder = decoders.get(encoding)?.();
  // The decoder emits the error as well.
  return decoder === undefined ? message : pipeline(message, decoder, () => undefined);
}

function responseOf(
  url: string,
  status: number,
  message: IncomingMessage,
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Response {
  const headers = headersOf(message);
  const statusText = message.statusMessage ?? '';
  let response: Response | undefined;
  // A real Response is created only for members other than status, headers and body.
  const toResponse = (): Response => (response ??= new Response(body, { status, statusText, headers: [...headers] }));
  return {
    url,
    status,
    statusText,
    headers,
    body,
    type: 'basic',
    redirected: false,
    ok: status >= 200 && status < 300,
    get bodyUsed() {
      return response?.bodyUsed ?? body?.locked ?? false;
    },
    arrayBuffer: async () => toResponse().arrayBuffer(),
    blob: async () => toResponse().blob(),
    bytes: async () => toResponse().bytes(),
    clone: () => toResponse().clone(),
    formData: async () => toResponse().formData(),
    async json() {
      const value: unknown = await toResponse().json();
      return value;
    },
    text: async () => toResponse().text(),
  };
}

function headersOf({ headers: fields, rawHeaders }: IncomingMessage): Headers {
  let copy: Headers | undefined;
  const toHeaders = (): Headers => {
    if (copy !== undefined) return copy;
    copy = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2)
      copy.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    return copy;
  };
  const headerMap = new Map(Object.entries(fields));
  return {
    get(name) {
      const value = copy === undefined ? headerMap.get(name.toLowerCase()) : copy.get(name);
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    has: (name) => (copy === undefined ? headerMap.has(name.toLowerCase()) : copy.has(name)),
    getSetCookie: () => toHeaders().getSetCookie(),
    append: (name, value) => {
      toHeaders().append(name, value);
    },
    delete: (name) => {
      toHeaders().delete(name);
    },
    set: (name, value) => {
      toHeaders().set(name, value);
    },
    forEach: (...args) => {
      toHeaders().forEach(...args);
    },
    entries: () => toHeaders().entries(),
    keys: () => toHeaders().keys(),
    values: () => toHeaders().values(),
    [Symbol.iterator]: () => toHeaders()[Symbol.iterator](),
  };
}

function streamOf(source: Readable, connectionError: () => Error): ReadableStream<Uint8Array<ArrayBuffer>> {
  let stop = (): void => undefined;
  return new ReadableStream({
    start(controller) {
      const onData = (chunk: Buffer<ArrayBuffer>): void => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      };
      const onEnd = (): void => {
        controller.close();
      };
      source.on('data', onData);
      source.on('end', onEnd);
      source.on('error', (error) => {
        const cause = 'code' in error && error.code === 'ECONNRESET' ? connectionError() : error;
        controller.error(new TypeError('terminated', { cause }));
      });
      // Buffered data and the end are emitted even after `destroy`, when the stream is closed.
      stop = () => source.off('data', onData).off('end', onEnd).destroy();
    },
    pull() {
      source.resume();
    },
    cancel() {
      stop();
    },
  });
}
