import type { PassThrough } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { createRequestHandler } from '../../http/pipeline.ts';
import { noQuery } from '../../http/request-state.ts';
import { createPathMatcher, pathBelowVersion } from './pass-through-path.ts';
import type { EndpointAccess } from '@modelwire/schema';
import type { MatchedRoute } from '../../http/router.ts';
import { belowVersion } from '../../http/nearest-path.ts';
import type { SuggestPath } from '../../http/nearest-path.ts';
import { forwardRequest } from './forward.ts';

/** Methods that are forwarded, and the permission of a key that each needs. */
const methods: Readonly<Record<string, EndpointAccess>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'infer',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/**
 * Returns a function that finds the route of requests that are forwarded: to any path under `/v1` that the pass-through accepts and that is none of the
 * server's own paths, whatever their method.
 */
export function createForwardedRoutes(
  passThrough: PassThrough,
  server: ServerContext,
  { served, suggestPath }: { readonly served: readonly { readonly path: string }[]; readonly suggestPath: SuggestPath },
): (method: string, path: string) => MatchedRoute | undefined {
  const isOwn = createPathMatcher(served.map(({ path }) => path));
  // A repeated `/v1` is a mistake in the base URL of a client.
  const isServed = (path: string): boolean => isOwn(path) || isOwn(`/v1/${belowVersion(path).join('/')}`);
  const routes = new Map<string, MatchedRoute>();
  for (const [method, access] of Object.entries(methods)) {
    const handle = createRequestHandler(
      {
        method,
        path: '/v1/{path}',
        access,
        parseQuery: noQuery,
        handle: (call: Call) => forwardRequest(call, server, { passThrough, suggestPath }),
      },
      server,
    );
    routes.set(method, { handle, params: {} });
  }
  return (method, path) => {
    const below = pathBelowVersion(path);
    if (below === undefined || isServed(path) || !passThrough.accepts(below)) return undefined;
    return routes.get(method);
  };
}
