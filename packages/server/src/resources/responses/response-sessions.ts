import { internalDispatchOf } from '../../http/internal-request.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, overloaded } from '../../errors.ts';
import type { HttpRequest } from '../../call.ts';
import type { HttpResponse } from '../../http/reply.ts';
import { createRequestHandler } from '../../http/pipeline.ts';
import { noQuery } from '../../http/request-state.ts';
import { ResponseSession } from './response-session.ts';
import type { SessionSocket } from './response-session.ts';

/** Connections that are open at once. */
const maxSessions = 1000;
const path = '/v1/responses';

/** Opens WebSocket connections that create responses. */
export interface ResponseSessions {
  /** Whether connections are opened at this path. */
  isServed(path: string): boolean;
  /** Bytes that one message may have. */
  readonly maxMessageBytes: number;
  /** Authenticates the request to open a connection, which counts against its rate limit. Resolves to the status 101, or to an error response. */
  admit(upgrade: HttpRequest): Promise<HttpResponse>;
  /** A session for a connection that was admitted. */
  open(upgrade: Pick<HttpRequest, 'header' | 'headers'>, socket: SessionSocket): ResponseSession;
}

export function createResponseSessions(server: ServerContext): ResponseSessions {
  let count = 0;
  const admit = createRequestHandler(
    {
      method: 'GET',
      path,
      access: 'infer',
      parseQuery: noQuery,
      handle({ header }) {
        assertOriginAllowed(header('origin'), server);
        if (count >= maxSessions) throw overloaded(1);
        return { status: 101, body: null };
      },
    },
    server,
  );
  return {
    isServed: (requestedPath) =>
      requestedPath === path || (server.options.unversionedPaths && requestedPath === '/responses'),
    maxMessageBytes: server.options.maxBodyBytes,
    admit,
    open(upgrade, socket) {
      const dispatch = internalDispatchOf(server, path);
      count += 1;
      return new ResponseSession({ dispatch, upgrade, server, socket, onClosed: () => (count -= 1) });
    },
  };
}

/** Browsers let any page open a WebSocket and name its origin: the other requests of a page are restricted by CORS. @throws a 403. */
function assertOriginAllowed(origin: string | null, { cors }: ServerContext): void {
  if (origin === null || cors?.headersFor(origin)['access-control-allow-origin'] !== undefined) return;
  throw new RequestError("WebSocket connections from this origin are not allowed. Add it to 'cors.origins'.", {
    status: 403,
    code: 'origin_not_allowed',
  });
}
