import { createInProcessFetch } from '../server/fetch.ts';
import { listen } from '../server/listen.ts';
import { recordRequests } from '../server/record-requests.ts';
import { disconnectSignal, toWebRequest, writeResponse } from '../server/node-web.ts';
import { createRequestLog } from '../server/requests.ts';
import type { TestRequest } from '../server/requests.ts';

export interface RecordingServerOptions {
  /** The port: 0 for any free port, `false` for none, since `fetch` needs none. Default 0. */
  readonly port?: number | false;
  /** Default `127.0.0.1`. */
  readonly host?: string;
}

/** A server that responds to requests over a port and through `fetch`. */
export interface RecordingServer {
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
  readonly requests: () => readonly TestRequest[];
  close(): Promise<void>;
}

export async function startRecordingServer(
  { port = 0, host = '127.0.0.1' }: RecordingServerOptions,
  handle: (request: Request) => Promise<Response>,
): Promise<RecordingServer> {
  const requests = createRequestLog(1000);
  const listening =
    port === false
      ? undefined
      : await listen(
          recordRequests(requests, (request, response) => {
            handle(toWebRequest(request, disconnectSignal(response)))
              .then((answer) => writeResponse(answer, response))
              .catch(() => response.destroy());
          }),
          { port, host },
        );
  const baseURL = `${listening?.url ?? 'http://modelwire.test'}/v1`;
  return {
    baseURL,
    fetch: createInProcessFetch({ baseURL, requests, handle }),
    requests: requests.list,
    close: async () => listening?.close(),
  };
}
