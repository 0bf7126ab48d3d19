import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeRequest } from './http/adapters/node-request.ts';
import { writeResponse } from './http/adapters/node-response.ts';
import type { ModelwireServer } from './server.ts';

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The server for `node:http`, without conversion to web-standard requests. Other requests go to `rest`, which is the server through
 * `@hono/node-server`: `createServer(nodeListener(server, getRequestListener(server.fetch)))`.
 *
 * Node's `requestTimeout` includes the time to receive the complete body, also of large files: set it to 0, since the server times out slow
 * senders itself (`uploadIdleTimeoutMs`, `uploadTimeoutMs`).
 */
export function nodeListener(server: ModelwireServer, fallback: NodeListener): NodeListener {
  return listener(server, fallback, false);
}

/**
 * The same for the event `checkContinue`: a client that sends `Expect: 100-continue`, as curl does with files, is asked for its body only if
 * the request is not refused.
 */
export function nodeContinueListener(server: ModelwireServer, fallback: NodeListener): NodeListener {
  return listener(server, fallback, true);
}

function listener(server: ModelwireServer, fallback: NodeListener, expectsContinue: boolean): NodeListener {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const queryStart = url.indexOf('?');
    const route = server.findRoute(method, queryStart === -1 ? url : url.slice(0, queryStart));
    if (!route) {
      if (expectsContinue) response.writeContinue();
      fallback(request, response);
      return;
    }
    const init = { params: route.params, expectsContinue };
    // Errors of a response must not end the process: its connection is closed.
    const fail = (error: unknown): void => {
      response.destroy();
      server.report('a response could not be written', error);
    };
    void route.handle(nodeRequest(request, response, init)).then((result) => {
      try {
        writeResponse(result, request, response, {
          expectsContinue: init.expectsContinue,
          report: server.report,
          writeTimeoutMs: server.writeTimeoutMs,
        });
      } catch (error) {
        fail(error);
      }
    }, fail);
  };
}
