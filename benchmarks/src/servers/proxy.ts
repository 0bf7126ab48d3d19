import { Agent, createServer, request as send } from 'node:http';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** The baseline of a Node.js gateway: ten lines that pipe both ways without parsing. */
export const start: Start = ({ upstream }) => {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true });
  return listen(
    createServer((request, response) => {
      const { method, url: path, headers } = request;
      const onward = send({ hostname, port, method, path, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.writeHead(502).end());
      request.pipe(onward);
    }),
  );
};
