import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { Connection } from './connection.ts';
import type { ConnectionOwner, PendingRequest } from './connection.ts';
import type { OutgoingRequest, ReplyHandler } from './exchange.ts';
import type { ServerSettings } from './settings.ts';

const keepAliveInitialDelayMs = 60_000;
/**
 * What sockets without TLS read into: the bytes are copied before anything else is read. A stream's own buffer of 64 KiB for each read, which
 * is then reduced to what arrived, and its events cost several times as much for a short reply.
 */
let readBuffer: Buffer | undefined;
const readBufferBytes = 64 * 1024;
const noop = (): void => undefined;
const noControl = { paused: false, pause: noop, resume: noop, abort: noop };

/** Characters that are not allowed in headers. */
const illegalCharacters = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * The connections to an upstream for POST requests with a body in memory, each with one request at a time (docs/decisions/0022).
 *
 * Requests are sent together at the end of a turn of the event loop, after all sockets were read. A connection is not reused in the turn in
 * which its last reply ended: in the next one it is known whether the upstream has closed it or has sent unexpected bytes, which would be taken
 * for the reply to the next request.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #settings: ServerSettings;
  readonly #url: URL;
  /** The value of the header `host`, which can differ from the host to connect to. */
  readonly #host: string;
  readonly #connections = new Set<Connection>();
  /** A stack: the connection that was used last is used next. */
  readonly #free: Connection[] = [];
  /** Free since this turn of the event loop: bytes after the reply may not have been read yet. */
  readonly #recentlyFreed: Connection[] = [];
  /** In the order in which they came. */
  readonly #queue = new Set<PendingRequest>();
  readonly #checkMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #tlsSession: Buffer | undefined;
  #closed: PromiseWithResolvers<void> | undefined;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
    this.#url = new URL(settings.origin);
    this.#host = settings.configuredHeaders['host'] ?? this.#url.host;
    const { connect, firstByte, idle } = settings.timeouts;
    this.#checkMs = Math.max(10, Math.min(250, connect / 4, firstByte / 4, idle / 4));
  }

  /** Sends a POST request. Returns what withdraws it until it is sent. */
  dispatch(outgoing: OutgoingRequest, body: string, handler: ReplyHandler): (() => void) | undefined {
    const { firstByte, idle } = outgoing;
    const bytes = Buffer.byteLength(body);
    const head = serializeHead(outgoing, this.#host, bytes);
    if (this.#closed || head === undefined) {
      handler.onResponseError(
        noControl,
        new Error(this.#closed ? 'the connections are closed' : 'a header is invalid'),
      );
      return undefined;
    }
    const isAscii = bytes === body.length;
    const request: PendingRequest = { head, body, isAscii, firstByteMs: firstByte, idleMs: idle, handler };
    this.#queue.add(request);
    this.#schedule();
    return () => this.#cancel(request);
  }

  /** Resolves when all requests have ended. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#closeIdle();
    this.#resolveCloseIfDone();
    return this.#closed.promise;
  }

  onFree(connection: Connection): void {
    if (this.#closed && this.#queue.size === 0) {
      connection.close();
      return;
    }
    this.#recentlyFreed.push(connection);
    this.#schedule();
  }

  onClose(connection: Connection): void {
    this.#connections.delete(connection);
    for (const list of [this.#free, this.#recentlyFreed]) {
      const index = list.indexOf(connection);
      if (index !== -1) list.splice(index, 1);
    }
    if (this.#connections.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (this.#queue.size > 0) this.#schedule();
    this.#resolveCloseIfDone();
  }

  #cancel(request: PendingRequest): void {
    if (!this.#queue.delete(request)) {
      request.connection?.cancel(request);
      return;
    }
    if (this.#closed && this.#queue.size === 0) this.#closeIdle();
    this.#resolveCloseIfDone();
  }

  #closeIdle(): void {
    for (const connection of [...this.#free, ...this.#recentlyFreed]) connection.close();
  }

  #resolveCloseIfDone(): void {
    if (this.#connections.size === 0 && this.#queue.size === 0) this.#closed?.resolve();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#sendQueued);
  }

  readonly #sendQueued = (): void => {
    this.#isScheduled = false;
    const max = this.#settings.connections ?? Infinity;
    let waitingForFreed = 0;
    for (const request of this.#queue) {
      const free = this.#takeFree();
      if (!free && this.#connections.size >= max) break;
      if (!free && waitingForFreed < this.#recentlyFreed.length) {
        waitingForFreed++;
        continue;
      }
      this.#queue.delete(request);
      if (free) free.send(request);
      else this.#open(request);
    }
    if (this.#recentlyFreed.length === 0) return;
    for (const connection of this.#recentlyFreed) this.#free.push(connection);
    this.#recentlyFreed.length = 0;
    if (this.#queue.size > 0) this.#schedule();
  };

  #takeFree(): Connection | undefined {
    for (let connection = this.#free.pop(); connection; connection = this.#free.pop()) {
      if (connection.isUsable(performance.now())) return connection;
      connection.close();
    }
    return undefined;
  }

  #open(request: PendingRequest): void {
    const isSecure = this.#url.protocol === 'https:';
    const socket = isSecure ? this.#connectTls() : this.#connectTcp((bytes) => connection.receive(bytes));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveInitialDelayMs);
    const { connect } = this.#settings.timeouts;
    const connection = new Connection(this, socket, isSecure ? 'secureConnect' : 'connect', connect, request);
    if (isSecure) socket.on('data', (bytes: Buffer) => connection.receive(bytes));
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#check(), this.#checkMs).unref();
  }

  #connectTcp(receive: (bytes: Buffer) => void): Socket {
    const buffer = (readBuffer ??= Buffer.allocUnsafeSlow(readBufferBytes));
    const callback = (size: number): true => {
      const bytes = Buffer.allocUnsafe(size);
      buffer.copy(bytes, 0, 0, size);
      receive(bytes);
      return true;
    };
    return connectTcp({ ...this.#address(), onread: { buffer, callback } });
  }

  #address(): { readonly host: string; readonly port: number } {
    const { hostname, port, protocol } = this.#url;
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
  }

  #connectTls(): Socket {
    const address = this.#address();
    const name = this.#host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    // Loaded on demand, which saves memory without TLS upstreams.
    const { connect } = process.getBuiltinModule('node:tls');
    const socket = connect({
      ...address,
      ...(isIP(name) === 0 && { servername: name }),
      ...(this.#tlsSession && { session: this.#tlsSession }),
      ALPNProtocols: ['http/1.1'],
    });
    return socket.on('session', (session: Buffer) => (this.#tlsSession = session));
  }

  #check(): void {
    const now = performance.now();
    for (const connection of this.#connections) connection.check(now);
  }
}

/** The request line and the headers; undefined if one contains a line break. */
function serializeHead({ path, headers }: OutgoingRequest, host: string, bytes: number): string | undefined {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncontent-length: ${bytes}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const value = headers[index + 1] ?? '';
    if (name === 'host') continue;
    // Separately: a line of both would be copied for the test.
    if (illegalCharacters.test(name) || illegalCharacters.test(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  return `${head}\r\n`;
}
