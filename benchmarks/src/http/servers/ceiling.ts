import { createServer } from 'node:net';
import { wholeReply } from '../payload.ts';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** Not an HTTP server: replies to bytes with bytes. Measures the limit of the load generator. */
export const start: Start = () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(wholeReply)}\r\n\r\n`;
  const answer = Buffer.from(head + wholeReply);
  return listen(
    createServer((socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('data', () => socket.write(answer));
    }),
  );
};
