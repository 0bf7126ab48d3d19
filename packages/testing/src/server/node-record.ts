import type { Listener } from './listen.ts';
import type { RequestRecord } from './requests.ts';

/** What a body may hold to be kept; of longer ones there is no `body`. */
const keptBytes = 8 * 1024 * 1024;

/** Notes each request before it is answered. The body is read by nobody but the server: it is seen as it arrives. */
export function recordedListener(requests: RequestRecord, listener: Listener): Listener {
  return (request, response) => {
    const pieces: Buffer[] = [];
    if (request.headers['content-type']?.startsWith('application/json') === true) {
      const push = request.push.bind(request);
      let bytes = 0;
      request.push = (piece: unknown, encoding?: BufferEncoding) => {
        if (piece instanceof Buffer && (bytes += piece.length) <= keptBytes) pieces.push(piece);
        return push(piece, encoding);
      };
    }
    requests.add({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers: () => request.headers,
      text: () => (pieces.length === 0 ? undefined : Buffer.concat(pieces).toString('utf8')),
      status: () => (response.headersSent ? response.statusCode : undefined),
    });
    listener(request, response);
  };
}
