import type { AddressInfo, Server } from 'node:net';

/** The URL of a started server's chat completions, and the headers that it requires. */
export interface Address {
  /** `http://127.0.0.1:1234/v1/chat/completions`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server. Gateways forward to the base URL `upstream`. */
export type Start = (upstream: string) => Promise<Address>;

export function completionsAt(base: string): Address {
  return { url: `${base}/chat/completions` };
}

export function listen(server: Server): Promise<Address> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve(completionsAt(`http://127.0.0.1:${port}/v1`));
    });
  });
}
