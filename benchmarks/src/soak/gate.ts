import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What a gate does with connections: passes them on, refuses them, or accepts them and never answers. */
type GateState = 'open' | 'refusing' | 'frozen';

export interface Gate {
  readonly port: number;
  set(state: GateState): Promise<void>;
  /** Passes new connections on to another server. */
  retarget(target: URL): void;
  close(): Promise<void>;
}

/** A TCP proxy in front of a dependency, so that the dependency can disappear or freeze while its data stays. */
export async function openGate(first: URL): Promise<Gate> {
  let target = first;
  const sockets = new Set<Socket>();
  let state: GateState = 'open';
  const server = createServer((client) => {
    track(client);
    if (state === 'frozen') return void client.pause();
    const upstream = connect(Number(target.port), target.hostname);
    track(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }
  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async set(next) {
      if (next === state) return;
      const before = state;
      state = next;
      if (next === 'frozen') {
        for (const socket of sockets) socket.unpipe().pause();
      } else {
        destroyAll();
      }
      if (next === 'refusing') await new Promise((resolve) => server.close(resolve));
      else if (before === 'refusing') await listen(port);
    },
    retarget(next) {
      target = next;
    },
    async close() {
      destroyAll();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
