import type { NodeListener } from '@modelwire/server/node';

/** Both common names. */
const livenessPath = /^\/healthz?(?:\?|$)/;
export const validHost = /^[\w.:[\]-]+$/;

/**
 * Replies to liveness checks. A supervisor restarts the process when they fail; outages of dependencies only affect `/readyz`.
 *
 * @param failure - Why the process must be restarted; undefined if it works.
 */
export function livenessListener(failure: () => string | undefined, next: NodeListener): NodeListener {
  return (request, response) => {
    const { method, url = '', headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    // Requests without a valid host are refused as elsewhere.
    if (!isRead || !livenessPath.test(url) || !validHost.test(headers.host ?? '')) {
      next(request, response);
      return;
    }
    const status = failure();
    const body = JSON.stringify({ status: status ?? 'ok' });
    response.writeHead(status === undefined ? 200 : 503, {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  };
}
