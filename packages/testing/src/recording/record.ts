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
  /** Its key. It is sent there, and written nowhere. */
  readonly apiKey: string;
  /** Where the recording goes, as YAML. */
  readonly file: string;
  /** Takes further secrets out of what is written: bodies, paths and answers pass through it as texts. */
  readonly redact?: (text: string) => string;
}

/** A server that was recorded, or that is. */
export interface Recording extends AsyncDisposable {
  readonly baseURL: string;
  /** Any will do: the service's own is sent to the service alone. */
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly TestRequest[];
  /** Writes what was recorded, and closes. */
  close(): Promise<void>;
}

/** Forwards all requests to a real service, and records requests and responses. */
export async function record(options: RecordOptions): Promise<Recording> {
  const { upstream, apiKey, file } = options;
  const redact = redacting(apiKey, options.redact);
  // Each in the place of its question. Undefined where no whole answer came: half of one is none.
  const exchanges: (Exchange | undefined)[] = [];
  const running = new Set<Promise<void>>();

  async function handle(request: Request): Promise<Response> {
    const bytes = await bytesOf(request);
    const recorded = await recordedRequest(request, bytes, redact);
    const place = exchanges.push(undefined) - 1;
    const answer = await forward(request, bytes, { upstream, apiKey });
    const [read, kept] = answer.body ? answer.body.tee() : [null, null];
    const keeping = new Response(kept).bytes().then(
      (said) => {
        exchanges[place] = { request: recorded, response: recordedResponse(answer, said, redact) };
      },
      () => undefined,
    );
    running.add(keeping);
    void keeping.finally(() => running.delete(keeping));
    const headers = new Headers(answer.headers);
    // `fetch` has unpacked it.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    return new Response(read, { status: answer.status, headers });
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
