import type { TestRequest } from '../server/requests.ts';
import { writeCassette } from './cassette.ts';
import type { Exchange, LazyTestRequest } from './cassette.ts';
import { bytesOf, recordedRequest, recordedResponse } from './message.ts';
import type { Bytes, Redact } from './message.ts';
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

/** Forwards requests to a service, and records them with its responses. */
export interface Recorder {
  forward(request: Request, bytes: Bytes, recorded: LazyTestRequest): Promise<Response>;
  /** The exchanges with a complete response, in the order of their requests. */
  exchanges(): readonly Exchange[];
  /** Resolves when no response is running. */
  settled(): Promise<unknown>;
}

export function createRecorder(service: Pick<RecordOptions, 'upstream' | 'apiKey'>, redact: Redact): Recorder {
  // Undefined without a complete response.
  const exchanges: (Exchange | undefined)[] = [];
  const running = new Set<Promise<void>>();
  return {
    async forward(request, bytes, recorded) {
      const index = exchanges.push(undefined) - 1;
      const response = await forward(request, bytes, service);
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
    },
    exchanges: () => exchanges.filter((one) => one !== undefined),
    settled: () => Promise.all(running),
  };
}

/** Forwards all requests to a real service, and records requests and responses. */
export async function record(options: RecordOptions): Promise<Recording> {
  const { upstream, apiKey, file } = options;
  const redact = redacting(apiKey, options.redact);
  const recorder = createRecorder(options, redact);
  const server = await startRecordingServer(options, async (request) => {
    const bytes = await bytesOf(request);
    return recorder.forward(request, bytes, await recordedRequest(request, bytes, redact));
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await recorder.settled();
    await server.close();
    await writeCassette(file, { upstream: redact(upstream), exchanges: [...recorder.exchanges()] });
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
