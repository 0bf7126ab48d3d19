import { randomBytes } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The error body for requests that fail before routing: same shape as everywhere, with a request ID. */
function errorBody(status: number): { readonly text: string; readonly requestId: string } {
  const message = messages[status] ?? 'The request is not valid HTTP.';
  return {
    text: JSON.stringify({
      error: {
        message,
        type: status === 500 ? 'server_error' : 'invalid_request_error',
        param: null,
        code: codes[status] ?? 'invalid_http',
      },
    }),
    requestId: `req_${randomBytes(12).toString('hex')}`,
  };
}

const codes: Readonly<Record<number, string>> = {
  403: 'host_not_allowed',
  408: 'request_timeout',
  413: 'request_too_large',
  417: 'expectation_failed',
  431: 'headers_too_large',
  500: 'internal_error',
};

const messages: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP.',
  403: "This server listens on a loopback address, and the host of the request is not a name of this machine. Call it by 'localhost' or its IP address, or add the host to 'allowedHosts' in the configuration.",
  408: 'The request was not received in time.',
  413: 'The request is too large.',
  417: "The value of the header 'Expect' is not supported. Only '100-continue' is.",
  431: 'The request headers are too large.',
  500: 'The server had an error while processing your request.',
};

/** Answers errors of Node's HTTP parser, and unsupported `Expect` headers, with JSON errors. */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refuseOnSocket(socket, statuses[error.code ?? ''] ?? 400);
  });
  server.on('checkExpectation', (_request, response) => refuseRequest(response, 417));
}

/** Responds with an error before the request is routed, and closes the connection. */
export function refuseRequest(response: ServerResponse, status: number): void {
  const { text, requestId } = errorBody(status);
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(text);
}

/** Does the same on a connection that has no response. */
export function refuseOnSocket(socket: Duplex, status: number): void {
  const { text, requestId } = errorBody(status);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `x-content-type-options: nosniff\r\nx-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};
