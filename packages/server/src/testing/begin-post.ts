import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { key } from './listen.ts';
import type { Listening } from './listen.ts';

/** A connection that has sent the head of a request and the start of its body. */
export function beginPost(
  { url }: Listening,
  path: string,
  sent: string,
  length = 10_000_000,
  type = 'application/json',
) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const connection = { received: '', socket };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => (connection.received += bytes.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${sent}`,
  );
  return connection;
}
