import { createServer } from 'node:http';
import { streamedReply, wholeReply } from './payload.ts';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** The baseline of a Node.js server, and the upstream of the gateways: parses the body, sends a fixed reply, one write per chunk. */
export const start: Start = () =>
  listen(
    createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (text += part));
      request.on('end', () => {
        // Gateways request the list of models.
        const body: unknown = text === '' ? {} : JSON.parse(text);
        const streamed = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
        if (streamed) {
          response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
          for (const chunk of streamedReply) response.write(chunk);
          response.end();
        } else {
          response.writeHead(200, {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(wholeReply),
          });
          response.end(wholeReply);
        }
      });
    }),
  );
