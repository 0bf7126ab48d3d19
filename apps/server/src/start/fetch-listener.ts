import type { ModelwireServer } from '@modelwire/server';
import type { NodeListener } from '@modelwire/server/node';
import { invalidRequestResponse } from './http-parser-errors.ts';

/**
 * The server for `node:http` through web-standard requests. The adapter is loaded with the first request: it loads the fetch of Node.js,
 * which takes 60 ms and 10 MB, and the endpoints of the API do not use it.
 */
export function lazyFetchListener(server: Pick<ModelwireServer, 'fetch' | 'report'>): NodeListener {
  let loading: Promise<(...args: Parameters<NodeListener>) => Promise<void>> | undefined;
  return (request, response) => {
    loading ??= import('@hono/node-server').then(({ getRequestListener }) =>
      getRequestListener(server.fetch, { errorHandler: invalidRequestResponse }),
    );
    loading
      .then((listener) => listener(request, response))
      .catch((error: unknown) => {
        response.destroy();
        server.report('a response could not be written', error);
      });
  };
}
