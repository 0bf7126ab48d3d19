import type { AddressInfo, Server } from 'node:net';

export interface ServerInit {
  /** The base URL that gateways forward to. */
  readonly upstream: string;
  /** The level of the log lines. Default: none. */
  readonly logLevel?: 'info' | undefined;
  /** The base URL of a receiver of OTLP, to which the traces of 10 % of the requests are sent. Default: no traces. */
  readonly traceReceiver?: string | undefined;
}

export interface StartedServer {
  /** `http://127.0.0.1:1234/v1`. */
  readonly base: string;
  /** The headers that requests need. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setTelemetryEnabled?: (isEnabled: boolean) => void;
}

export type Start = (init: ServerInit) => Promise<StartedServer>;

export function listen(server: Server): Promise<StartedServer> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ base: `http://127.0.0.1:${port}/v1`, headers: {} });
    });
  });
}
