import { toRequestError } from '../errors.ts';
import type { ServerContext } from '../context.ts';
import type { HttpRequest } from '../call.ts';
import type { HttpResponse } from './reply.ts';
import { recordUnroutedRequest, respondError, responseHeaders } from './pipeline.ts';
import type { Handle } from './router.ts';

/** Responds to requests outside the API: documents and the console. Throws the errors of unknown paths. */
export type PageHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Handles requests with a page. Errors are logged and observed as those of requests without a route. */
export function handlePage(page: PageHandler, server: ServerContext, renderError = respondError): Handle {
  return async (request) => {
    const startedAt = performance.now();
    const headers = responseHeaders(server, request);
    try {
      const { status, headers: own, body } = await page(request);
      return { status, headers: { ...headers, ...own }, body };
    } catch (thrown) {
      const preflight = server.cors?.preflightHeaders(request);
      if (preflight) return { status: 204, headers: preflight, body: '' };
      const error = toRequestError(thrown);
      const { method, url, header } = request;
      recordUnroutedRequest({ method, url, header, startedAt }, error, { requestId: headers['x-request-id'], server });
      return renderError(error, headers);
    }
  };
}
