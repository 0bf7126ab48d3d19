import { createRequestHandler } from '../http/pipeline.ts';
import { noQuery } from '../http/request-state.ts';
import type { Route } from '../http/request-state.ts';
import type { Handle } from '../http/router.ts';
import type { ServerContext } from '../context.ts';
import { parseErrorsQuery, readRecentErrors } from './errors.ts';
import { createSession, parseSignIn, readSession, revokeSession } from './session.ts';
import { readStatus } from './status.ts';
import { parseUsageQuery, readConsoleUsage } from './usage.ts';

/** An endpoint that only the console uses. It is not part of the public API and not in the OpenAPI document. */
interface ConsoleEndpoint {
  readonly method: string;
  readonly path: string;
  readonly handler: (server: ServerContext) => Handle;
}

/** Endpoints of the console besides the public API. */
export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  endpoint('POST', '/console/api/session', {
    access: 'public',
    parseQuery: noQuery,
    json: { parse: parseSignIn },
    handle: createSession,
  }),
  endpoint('GET', '/console/api/session', { access: 'any', parseQuery: noQuery, handle: readSession }),
  endpoint('DELETE', '/console/api/session', { access: 'any', parseQuery: noQuery, handle: revokeSession }),
  endpoint('GET', '/console/api/status', { access: 'operate', parseQuery: noQuery, handle: readStatus }),
  endpoint('GET', '/console/api/usage', { access: 'operate', parseQuery: parseUsageQuery, handle: readConsoleUsage }),
  endpoint('GET', '/console/api/errors', { access: 'operate', parseQuery: parseErrorsQuery, handle: readRecentErrors }),
];

function endpoint<Body = undefined, Query = undefined>(
  method: string,
  path: string,
  init: Omit<Route<Body, Query>, 'method' | 'path'>,
): ConsoleEndpoint {
  return { method, path, handler: (server) => createRequestHandler({ method, path, ...init }, server) };
}
