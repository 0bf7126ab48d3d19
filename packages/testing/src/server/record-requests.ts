import type { Listener } from './listen.ts';
import type { RecordedRequest, RequestLog } from './requests.ts';

/** Larger bodies are not recorded. */
const maxBodyBytes = 8 * 1024 * 1024;

/**
 * Records each request when it arrives. The body is copied while the server reads it. Does not retain the request, the response or
 * buffers of the socket, which would be most of the memory.
 */
export function recordRequests(requests: RequestLog, listener: Listener): Listener {
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const recorded: RecordedRequest = { method, url, headers, text: undefined, status: undefined };
    requests.add(recorded);
    if (headers['content-type']?.startsWith('application/json') === true) {
      const push = request.push.bind(request);
      const pieces: Buffer[] = [];
      let bytes = 0;
      request.push = (piece: unknown, encoding?: BufferEncoding) => {
        if (piece instanceof Buffer) {
          bytes += piece.length;
          if (bytes <= maxBodyBytes) pieces.push(piece);
        } else if (piece === null && bytes <= maxBodyBytes) {
          recorded.text = pieces.length === 1 ? pieces[0]?.toString('utf8') : Buffer.concat(pieces).toString('utf8');
        }
        return push(piece, encoding);
      };
    }
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number, ...rest: [never]) => {
      recorded.status = status;
      return writeHead(status, ...rest);
    };
    listener(request, response);
  };
}
