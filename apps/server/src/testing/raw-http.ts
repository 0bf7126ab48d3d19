import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { key } from './test-server.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A TCP connection on which the test writes raw bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves when the bytes are written; rejects if the connection is closed. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Reads the next response. Rejects if the connection ends before it is complete. */
  answer(): Promise<RawAnswer>;
}

export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.of();
  let ended: Error | undefined;
  let wake: (() => void) | undefined;
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    wake?.();
  });
  socket.on('error', (error) => {
    ended = error;
    wake?.();
  });
  socket.on('close', () => {
    ended ??= new Error(`the connection ended after ${JSON.stringify(received.toString())}`);
    wake?.();
  });
  return {
    socket,
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    async answer() {
      for (;;) {
        const head = received.indexOf('\r\n\r\n');
        if (head !== -1) {
          const [first = '', ...lines] = received.subarray(0, head).toString('latin1').split('\r\n');
          const headers = new Headers(
            lines.map((line): [string, string] => [
              line.slice(0, line.indexOf(':')),
              line.slice(line.indexOf(':') + 1),
            ]),
          );
          const end = head + 4 + Number(headers.get('content-length') ?? 0);
          if (received.length >= end) {
            const body = received.subarray(head + 4, end).toString();
            received = received.subarray(end);
            return { status: Number(first.split(' ')[1]), headers, body };
          }
        }
        if (ended) throw ended;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** Request line and headers, with the key. */
export function rawHead(path: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'localhost', authorization: `Bearer ${key}`, ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** One chunk of a chunked body. */
export const chunk = (bytes: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);

export const boundary = 'a-boundary-of-tests';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** The start of a file part in a form. */
export const fileHead = (field: string, filename = 'a.bin'): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n`;
export const fieldOf = (name: string, value: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
export const formEnd = `\r\n--${boundary}--\r\n`;
