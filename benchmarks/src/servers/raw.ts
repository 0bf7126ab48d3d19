import { createServer } from 'node:http';
import { models, streamedReply, wholeReply } from './payload.ts';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** The baseline of a Node.js server, and the upstream of the gateways: parses the body, sends a fixed reply, one write per chunk. */
export const start: Start = () => repliesAfter(0);

/** The same, and each reply to a chat completion takes three seconds: requests that are sent at once are in flight together. */
export const startSlow: Start = () => repliesAfter(3000);

const repliesAfter = (ms: number) =>
  listen(
    createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (text += part));
      const reply = () => {
        const body: unknown = JSON.parse(text);
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
      };
      request.on('end', () => {
        // Gateways request the list of models.
        if (request.method === 'GET') response.setHeader('content-type', 'application/json').end(models);
        else if (ms > 0) setTimeout(reply, ms);
        else reply();
      });
    }),
  );
