import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';

export interface ModelFileServer {
  readonly url: string;
  /** The requests so far. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Served at every path. */
  content: Buffer;
  /** Handles a request instead of serving the content. Returns false to serve it. */
  intercept: (path: string, response: ServerResponse, range: string | undefined) => boolean;
}

/** An HTTP server with one file, with ranges and an `ETag` of its content. */
export async function startModelFileServer(content: Buffer): Promise<ModelFileServer> {
  const server: { -readonly [Name in keyof ModelFileServer]: ModelFileServer[Name] } = {
    url: '',
    requests: [],
    content,
    intercept: () => false,
  };
  const http = createServer(({ url: path = '', headers }, response) => {
    server.requests.push({ path, headers });
    if (server.intercept(path, response, headers.range)) return;
    const etag = `"${server.content.length}-${server.content.at(-1) ?? 0}"`;
    const total = server.content.length;
    const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
    const start = first !== undefined && headers['if-range'] === etag ? Number(first) : 0;
    const range = start > 0 ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { etag, 'content-length': total - start, ...range });
    response.end(server.content.subarray(start));
  });
  server.url = `http://${await listenForTest(http)}`;
  return server;
}
