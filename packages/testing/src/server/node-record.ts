import type { Listener } from './listen.ts';
import type { Noted, RequestRecord } from './requests.ts';

/** What a body may hold to be kept; of longer ones there is no `body`. */
const keptBytes = 8 * 1024 * 1024;

/**
 * Notes each request before it is answered. The body is read by nobody but the server: it is seen as it arrives. Neither request nor
 * response are kept, nor the buffers of the socket: they would be most of what the process holds.
 */
export function recordedListener(requests: RequestRecord, listener: Listener): Listener {
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const noted: Noted = { method, url, headers, text: undefined, status: undefined };
    requests.add(noted);
    if (headers['content-type']?.startsWith('application/json') === true) {
      const push = request.push.bind(request);
      const pieces: Buffer[] = [];
      let bytes = 0;
      request.push = (piece: unknown, encoding?: BufferEncoding) => {
        if (piece instanceof Buffer) {
          bytes += piece.length;
          if (bytes <= keptBytes) pieces.push(piece);
        } else if (piece === null && bytes <= keptBytes) {
          noted.text = pieces.length === 1 ? pieces[0]?.toString('utf8') : Buffer.concat(pieces).toString('utf8');
        }
        return push(piece, encoding);
      };
    }
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number, ...rest: [never]) => {
      noted.status = status;
      return writeHead(status, ...rest);
    };
    listener(request, response);
  };
}
