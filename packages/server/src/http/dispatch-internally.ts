import { errorBody } from '../errors.ts';
import type { ServerContext } from '../context.ts';
import type { InternalDispatch, InternalReply } from '../internal-dispatch.ts';
import { internalPipeline, observe, runStages } from './pipeline.ts';
import { RequestState } from './request-state.ts';
import { createRoute } from './route.ts';
import type { RouteDefinition } from './route.ts';

/** Placeholder for the HTTP request in internal requests. */
export const internalRequest = {
  params: {},
  header: () => null,
  headers: () => [],
  body: () => Promise.reject(new Error('an internal request has a parsed body')),
  bytes(): AsyncIterable<Uint8Array> {
    throw new Error('an internal request has a parsed body');
  },
};

/** Handles internal requests to one endpoint: for a principal that is known, with a JSON body that is in memory. */
export function createInternalDispatch<Body, Query>(
  definition: RouteDefinition<Body, Query>,
  server: ServerContext,
): InternalDispatch {
  const route = createRoute(definition);
  const stages = internalPipeline<Body, Query>();
  const { method, path: url } = route;
  return ({ principal, body, client, tier, batchLine, retryDelayOf, logRecord }) => {
    const { keyId, project } = principal;
    const init = { client, tier, batchLine, retryDelayOf, logRecord: { keyId, project, ...logRecord } };
    const state = new RequestState(
      route,
      server,
      { ...internalRequest, method, url, parsedBody: () => body, client },
      init,
    );
    state.principal = principal;
    return observe(state, () => runStages(stages, state, internalReplyOf));
  };
}

/** @throws the error of a request that was aborted. */
function internalReplyOf<Body, Query>({
  client,
  logRecord,
  error,
  reply,
  requestId: id,
}: RequestState<Body, Query>): InternalReply {
  if (error && client.reason !== undefined) {
    logRecord.aborted = true;
    throw error;
  }
  if (error)
    return { status: error.status, requestId: id, body: errorBody(error), error, retryInMs: logRecord.retryInMs };
  if (!reply || !('body' in reply)) throw new Error('an internal request returned a stream');
  logRecord.status = reply.status;
  return { status: reply.status, requestId: id, body: reply.body, error: undefined };
}
