import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocketUpgrades } from '@modelwire/server/websocket';

export interface Listening {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  close(): Promise<void>;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenInit {
  readonly port: number;
  readonly host: string;
  readonly upgrades?: Pick<WebSocketUpgrades, 'accepts' | 'listener'>;
}

/** Starts an HTTP server that closes all connections when it is closed, except those that were upgraded. */
export async function listen(listener: Listener, { port, host, upgrades }: ListenInit): Promise<Listening> {
  const http: Server = createHttp(
    { noDelay: true, ...(upgrades && { shouldUpgradeCallback: upgrades.accepts }) },
    listener,
  );
  if (upgrades) http.on('upgrade', upgrades.listener);
  http.requestTimeout = 0;
  http.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const { port: boundPort, address, family } = http.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  const listening: Listening = {
    url: `http://${name}:${boundPort}`,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
  return listening;
}
