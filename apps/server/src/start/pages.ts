import type { IncomingHttpHeaders } from 'node:http';
import type { NodeListener } from '@modelwire/server/node';
import { refuseRequest } from './http-parser-errors.ts';

/** A page for the operators of the server, such as `/readyz`. */
export type Page = (headers: IncomingHttpHeaders) => PageReply | Promise<PageReply>;

interface PageReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text with the media type of `headers`, or an object that is sent as JSON. */
  readonly body: string | object;
}

/**
 * Replies to GET and HEAD requests for pages, by their path.
 *
 * @param report Called with errors that a page throws; the reply is then a 500.
 */
export function pagesListener(
  pages: ReadonlyMap<string, Page>,
  next: NodeListener,
  report: (what: string, error: unknown) => void,
): NodeListener {
  return (request, response) => {
    const { method, url = '', headers } = request;
    const path = URL.parse(url, 'http://localhost')?.pathname ?? '';
    const page = method === 'GET' || method === 'HEAD' ? pages.get(path) : undefined;
    if (!page) {
      next(request, response);
      return;
    }
    const reply = async (): Promise<void> => {
      const { status, headers: own, body } = await page(headers);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, {
        'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
        'content-length': Buffer.byteLength(text),
        'x-content-type-options': 'nosniff',
        ...own,
      });
      response.end(text);
    };
    reply().catch((error: unknown) => {
      report(`${url} failed`, error);
      refuseRequest(response, 500);
    });
  };
}
