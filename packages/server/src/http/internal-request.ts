import { errorBody } from '../errors.ts';
import type { ServerContext } from '../context.ts';
import type { HttpRequest, InternalDispatch, InternalReply, InternalRequest, Pipe } from '../call.ts';
import { internalPipelines, observe, runStages } from './pipeline.ts';
import { RequestState } from './request-state.ts';
import type { Route } from './request-state.ts';

/** The parts of a request that has no HTTP body. */
export const withoutHttpBody = {
  params: {},
  bytes(): AsyncIterable<Uint8Array> {
    throw new Error('this request has no HTTP body');
  },
};

/** Handles the requests that the server makes to itself, to one endpoint. */
export function createInternalDispatch<Body, Query>(
  route: Route<Body, Query>,
  server: ServerContext,
): InternalDispatch {
  const { ofConnection, ofPrincipal } = internalPipelines<Body, Query>();
  return (request) => {
    const state = new RequestState(route, server, adapterOf(request, route), request);
    const { from } = request;
    const stages = 'principal' in from ? ofPrincipal : ofConnection;
    if ('principal' in from) {
      const { keyId, project } = (state.principal = from.principal);
      Object.assign(state.logRecord, { keyId, project, traceId: from.trace?.traceId });
    }
    return observe(state, () => runStages(stages, state, internalReplyOf));
  };
}

function adapterOf(
  { from, body: parsedBody, client }: InternalRequest,
  { method, path: url }: Pick<Route<unknown, unknown>, 'method' | 'path'>,
): HttpRequest {
  const common = { ...withoutHttpBody, method, url, parsedBody, client };
  if ('principal' in from) {
    const { traceHeaders } = from.trace ?? {};
    return { ...common, header: (name) => traceHeaders?.[name] ?? null, headers: () => [] };
  }
  const { header, headers, recentResponse } = from;
  return {
    ...common,
    // Headers of the request that opened the connection: those about a body do not apply, and each request is a new one.
    header: (name) => (name.startsWith('content-') || name === 'idempotency-key' ? null : header(name)),
    headers,
    recentResponse,
  };
}

/** @throws the error of a request that was aborted. */
function internalReplyOf<Body, Query>(state: RequestState<Body, Query>): InternalReply {
  const { client, logRecord, error, reply, requestId } = state;
  if (error) {
    if (client.reason !== undefined) throw error;
    const { status } = error;
    return { status, requestId, body: errorBody(error), events: undefined, error, retryInMs: logRecord.retryInMs };
  }
  if (!reply) throw new Error('no stage gave a reply');
  const { status } = reply;
  logRecord.status = status;
  const outcome = { status, requestId, error: undefined, retryInMs: undefined };
  if ('body' in reply) return { ...outcome, body: reply.body, events: undefined };
  if (!('events' in reply)) throw new Error('the reply to an internal request was neither a body nor events');
  const { events } = reply;
  return { ...outcome, body: undefined, events: typeof events === 'string' ? completeEvents(events) : events };
}

/** Events that were all available immediately. */
function completeEvents(text: string): Pipe<string> {
  const rest = [text];
  return { next: () => Promise.resolve(rest.shift()), cancel: () => undefined, onStall: () => undefined };
}

/** @throws if another server, which shares the jobs, serves the endpoint and this one does not. */
export function internalDispatchOf(
  { internalDispatches }: Pick<ServerContext, 'internalDispatches'>,
  path: string,
): InternalDispatch {
  const dispatch = internalDispatches.get(path);
  if (!dispatch) throw new Error(`this server does not serve ${path}; another server may`);
  return dispatch;
}
