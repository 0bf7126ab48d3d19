import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Breaks a connection after a number of bytes from its client or its server. */
export interface Break {
  readonly sender: 'client' | 'server';
  readonly bytes: number;
}

export interface BreakingProxy {
  readonly url: string;
  /** Applied to the next connections in order; later connections are not broken. */
  readonly breaks: Break[];
  /** Number of broken connections. */
  broken(): number;
}

/** Starts a TCP proxy that breaks connections. */
export async function breakingProxy(target: string): Promise<BreakingProxy> {
  const { hostname, port } = new URL(target);
  const breaks: Break[] = [];
  const open = new Set<Socket>();
  let broken = 0;

  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    const at = breaks.shift();
    const cut = (): void => {
      broken++;
      // Reset the connection of a client that sends. Close that of one that reads: a reset would discard received data.
      if (at?.sender === 'client') client.resetAndDestroy();
      else client.destroy();
      server.destroy();
    };
    pass(client, server, at?.sender === 'client' ? at.bytes : Infinity, cut);
    pass(server, client, at?.sender === 'server' ? at.bytes : Infinity, cut);
  });

  function pass(from: Socket, to: Socket, most: number, cut: () => void): void {
    let left = most;
    open.add(from);
    from.on('data', (bytes) => {
      if (left === 0) return;
      const piece = bytes.subarray(0, left);
      left -= piece.length;
      if (left === 0) to.end(piece, cut);
      else if (!to.write(piece)) from.pause();
    });
    to.on('drain', () => from.resume());
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, breaks, broken: () => broken };
}
