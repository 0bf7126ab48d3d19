import { createServer } from 'node:http';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** A receiver of OTLP over HTTP that reads and discards what it is sent. */
export const start: Start = async () => {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  return listen(receiver);
};
