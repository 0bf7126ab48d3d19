import type { TestRequest } from '../server/requests.ts';
import { writeCassette } from './cassette.ts';
import type { Exchange } from './cassette.ts';
import { bytesOf, recordedRequest, recordedResponse } from './message.ts';
import type { Bytes } from './message.ts';
import { redacting } from './redact.ts';
import { startRecordingServer } from './recording-server.ts';
import type { RecordingServerOptions } from './recording-server.ts';

export interface RecordOptions extends RecordingServerOptions {
  /** The service, with `/v1`. */
  readonly upstream: string;
  /** Its API key, which is sent to the service and never written. */
  readonly apiKey: string;
  /** Path of the recording, a YAML file. */
  readonly file: string;
  /** Removes further secrets from what is written: bodies, paths and responses pass through it as text. */
  readonly redact?: (text: string) => string;
}

/** A server that records or replays. */
export interface Recording extends AsyncDisposable {
  readonly baseURL: string;
  /** Any key works: only the recorder sends the key of the service. */
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly TestRequest[];
  /** Writes the recording and closes the server. */
  close(): Promise<void>;
}

/** Forwards all requests to a real service, and records requests and responses. */
export async function record(options: RecordOptions): Promise<Recording> {
  const { upstream, apiKey, file } = options;
  const redact = redacting(apiKey, options.redact);
  // In the order of the requests. Undefined without a complete response.
  const exchanges: (Exchange | undefined)[] = [];
  const running = new Set<Promise<void>>();

  async function handle(request: Request): Promise<Response> {
    const bytes = await bytesOf(request);
    const recorded = await recordedRequest(request, bytes, redact);
    const index = exchanges.push(undefined) - 1;
    const response = await forward(request, bytes, { upstream, apiKey });
    const [forwarded, copy] = response.body ? response.body.tee() : [null, null];
    const recording = new Response(copy).bytes().then(
      (responseBytes) => {
        exchanges[index] = { request: recorded, response: recordedResponse(response, responseBytes, redact) };
      },
      () => undefined,
    );
    running.add(recording);
    void recording.finally(() => running.delete(recording));
    const headers = new Headers(response.headers);
    // `fetch` has decompressed it.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    return new Response(forwarded, { status: response.status, headers });
  }
  const server = await startRecordingServer(options, handle);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(running);
    await server.close();
    await writeCassette(file, { upstream: redact(upstream), exchanges: exchanges.filter((one) => one !== undefined) });
  };
  return {
    baseURL: server.baseURL,
    apiKey: 'recorded',
    fetch: server.fetch,
    get requests() {
      return server.requests();
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

const notForwarded = ['host', 'authorization', 'connection', 'content-length', 'accept-encoding', 'cookie'];

async function forward(
  request: Request,
  bytes: Bytes,
  { upstream, apiKey }: { readonly upstream: string; readonly apiKey: string },
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of notForwarded) headers.delete(name);
  headers.set('authorization', `Bearer ${apiKey}`);
  const { method, signal } = request;
  const url = `${upstream.replace(/\/$/, '')}${pathname.replace(/^\/v1/, '')}${search}`;
  return fetch(url, { method, headers, signal, ...(bytes.length > 0 && { body: bytes }) });
}
