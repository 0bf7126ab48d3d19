import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface UnreliableProxy {
  /** The URL of the server through the proxy. */
  readonly url: string;
  /** From now on connections are refused and existing ones are closed: the server is down. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Connects new connections to another server: the address has moved. */
  retarget(target: string): void;
  /** From now on connections and bytes are accepted, and nothing is forwarded: the server hangs. */
  freeze(): void;
  /** Forwards the bytes that it has buffered, and continues. */
  thaw(): void;
}

/** A TCP proxy in front of a server, which can be made unreachable. */
export async function unreliableProxy(target: string): Promise<UnreliableProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (frozen) from.pause();
    }
  });
  async function listen(at: number): Promise<void> {
    proxy.listen(at, '127.0.0.1');
    await once(proxy, 'listening');
  }
  await listen(0);
  const { port: taken } = proxy.address() as AddressInfo;
  const url = new URL(target);
  url.host = `127.0.0.1:${taken}`;
  return {
    url: url.href.replace(/\/$/, ''),
    stop() {
      const closed = new Promise<void>((resolve) => proxy.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
    start: () => listen(taken),
    retarget(next) {
      ({ hostname, port } = new URL(next));
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
