import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { RequestError } from './errors.ts';
import type { HttpRequest } from './call.ts';
import type { HttpResponse } from './http/reply.ts';
import { ClientConnection } from './limits/client-connection.ts';
import { allHeaders, headerOf } from './http/adapters/node-request.ts';
import { withoutHttpBody } from './http/internal-request.ts';
import type { SessionSocket } from './resources/responses/response-session.ts';
import type { ModelwireServer } from './server.ts';

export interface WebSocketOptions {
  /** Milliseconds after which a connection is closed, when its response has ended. Default: 60 minutes. */
  readonly maxConnectionMs?: number;
  /** Milliseconds between pings. A client that has not responded to a ping by the next one is disconnected. Default: 30,000. */
  readonly pingIntervalMs?: number;
}

/** WebSocket connections to `/v1/responses` of a Node server. */
export interface WebSocketUpgrades {
  /** For `shouldUpgradeCallback`: requests for other upgrades, such as `h2c`, are handled as requests without an upgrade. */
  accepts: (request: IncomingMessage) => boolean;
  /** For the event `upgrade`. */
  listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Closes all connections. Call it when the server has drained. */
  close(): Promise<void>;
}

/** UTF-16 code units that may wait in a socket before the response is paused. */
const highWaterMark = 64 * 1024;
/** Header length of a client frame with a short payload. */
const controlFrameBytes = 6;
/** Pings and pongs that a client may send between two pings of the server. */
const maxControlFrames = 1000;
/** How long a client may take to confirm that the connection closes. */
const closeTimeoutMs = 1000;

/**
 * Creates responses over WebSocket connections: each text message is an event `response.create`, and each event of its response is a text
 * message. Needs the package `ws`, and Node 22.21 or 24.9 for `shouldUpgradeCallback`.
 *
 * ```ts
 * const upgrades = webSocketUpgrades(server);
 * const http = createServer({ shouldUpgradeCallback: upgrades.accepts }, nodeListener(server));
 * http.on('upgrade', upgrades.listener);
 * ```
 */
export function webSocketUpgrades(
  server: Pick<ModelwireServer, 'responseSessions' | 'report'>,
  options: WebSocketOptions = {},
): WebSocketUpgrades {
  const { maxConnectionMs = 3_600_000, pingIntervalMs = 30_000 } = options;
  const { responseSessions: sessions, report } = server;
  let webSocketServer: Promise<WebSocketServer> | undefined;
  const open = new Set<WebSocket>();

  function loadWebSocketServer(): Promise<WebSocketServer> {
    webSocketServer ??= createWebSocketServer(sessions.maxMessageBytes).catch((error: unknown) => {
      // Such as too many open files: the next connection tries again.
      webSocketServer = undefined;
      throw error;
    });
    return webSocketServer;
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onError = (): void => void socket.destroy();
    socket.on('error', onError);
    const adapter = upgradeRequest(request);
    const admitted = await sessions.admit(adapter);
    if (admitted.status !== 101) {
      refuse(socket, admitted);
      return;
    }
    const sockets = await loadWebSocketServer();
    socket.off('error', onError);
    sockets.handleUpgrade(request, socket, head, (webSocket) => connect(webSocket, socket, adapter));
  }

  function connect(webSocket: WebSocket, raw: Duplex, adapter: HttpRequest): void {
    open.add(webSocket);
    const session = sessions.open(adapter, sessionSocket(webSocket));
    let isAlive = true;
    let controlFrames = 0;
    const pinging = setInterval(() => {
      if (!isAlive) webSocket.terminate();
      isAlive = false;
      controlFrames = 0;
      webSocket.ping();
    }, pingIntervalMs).unref();
    const limit = setTimeout(() => session.end(1000, limitReached), maxConnectionMs).unref();
    const receive = (chunk: Buffer): void => session.receive(chunk.length);
    raw.prependListener('data', receive);
    webSocket.on('message', (data: Buffer, isBinary) => {
      session.message(isBinary ? undefined : data.toString());
    });
    const receiveControl = ({ length }: Buffer): void => {
      session.receiveControl(controlFrameBytes + length);
      if (++controlFrames > maxControlFrames) webSocket.terminate();
    };
    webSocket.on('ping', receiveControl);
    webSocket.on('pong', (data) => {
      isAlive = true;
      receiveControl(data);
    });
    // Invalid frames and broken connections: `close` follows.
    webSocket.on('error', () => undefined);
    webSocket.on('close', () => {
      open.delete(webSocket);
      clearInterval(pinging);
      clearTimeout(limit);
      session.closed();
    });
  }

  return {
    accepts: ({ headers, url = '/' }) =>
      headers.upgrade?.toLowerCase() === 'websocket' && sessions.isServed(url.split('?', 1)[0] ?? ''),
    listener(request, socket, head) {
      upgrade(request, socket, head).catch((error: unknown) => {
        socket.destroy();
        report('a WebSocket connection was not opened', error);
      });
    },
    async close() {
      await Promise.all([...open].map((webSocket) => closeSocket(webSocket)));
    },
  };
}

/** Loads `ws` with the first connection, so that the start of a server does not wait for it. */
async function createWebSocketServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    // Decompressed messages would need unbounded memory.
    perMessageDeflate: false,
    // Each message and each control frame has its own turn of the event loop: thousands of empty ones fit into one read of the socket.
    allowSynchronousEvents: false,
  });
}

const limitReached = new RequestError('The connection has reached its maximum duration. Open a new one.', {
  status: 400,
  code: 'websocket_connection_limit_reached',
});

function sessionSocket(webSocket: WebSocket): SessionSocket {
  let sent: Promise<void> = Promise.resolve();
  return {
    send(text) {
      sent = new Promise((resolve) => webSocket.send(text, () => resolve()));
    },
    drained: () => (webSocket.bufferedAmount > highWaterMark ? sent : Promise.resolve()),
    pause: () => webSocket.pause(),
    resume: () => webSocket.resume(),
    close: (code, reason) => void closeSocket(webSocket, code, reason),
    terminate: () => webSocket.terminate(),
  };
}

/** Resolves when the connection has closed, by force if the client does not confirm it. */
async function closeSocket(webSocket: WebSocket, code = 1001, reason = ''): Promise<void> {
  if (webSocket.readyState === webSocket.CLOSED) return;
  const closed = new Promise((resolve) => webSocket.once('close', resolve));
  webSocket.close(code, reason);
  const timer = setTimeout(() => webSocket.terminate(), closeTimeoutMs);
  await closed;
  clearTimeout(timer);
}

function upgradeRequest(request: IncomingMessage): HttpRequest {
  const { headers, method = 'GET', url = '/' } = request;
  return {
    ...withoutHttpBody,
    client: new ClientConnection(),
    method,
    url,
    header: (name) => headerOf(headers, name),
    headers: () => allHeaders(headers),
  };
}

/** Responds to the upgrade request with an error, and closes the connection. */
function refuse(socket: Duplex, { status, headers, body }: HttpResponse): void {
  const text = typeof body === 'string' ? body : '';
  const all = { ...headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [`HTTP/1.1 ${status} ${process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''}`, ...lines, '', text].join(
      '\r\n',
    ),
  );
}
