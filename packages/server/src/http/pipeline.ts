import { isStorageUnavailable } from '@modelwire/ports';
import { errorBody, toRequestError } from '../errors.ts';
import { ClientConnection } from '../client-connection.ts';
import type { ServerContext } from '../context.ts';
import type { InternalDispatch, InternalReply } from '../internal-dispatch.ts';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';
import { authenticate } from './authenticate.ts';
import { logFailure } from './failure.ts';
import { internalRequest } from './internal-request.ts';
import { parse } from './parse-request.ts';
import { RequestState } from './request-state.ts';
import { nowInSeconds } from '../sources.ts';
import { nameUpstream, respondError } from './respond.ts';
import { createRoute } from './route.ts';
import type { RouteDefinition } from './route.ts';
import { accessLog, connection, handle, idempotency, rateLimit, requestId, respond } from './stages.ts';
import type { Stage } from './stages.ts';

/** The stages of every request, in their order. What one throws becomes the error response; `finishRequest` follows in any case. */
function pipeline<Body, Query>(): readonly Stage<Body, Query>[] {
  return [requestId, accessLog, connection, authenticate, rateLimit, parse, idempotency, handle, respond];
}

/** The same for requests that the server makes to itself, such as the lines of a batch: from the parse stage on, without HTTP. */
function internalPipeline<Body, Query>(): readonly Stage<Body, Query>[] {
  const stages = pipeline<Body, Query>();
  return [requestId, accessLog, ...stages.slice(stages.indexOf(parse), stages.indexOf(respond))];
}

/** Handles the requests of one endpoint. */
export function createRequestHandler<Body, Query>(
  definition: RouteDefinition<Body, Query>,
  server: ServerContext,
): (request: RequestAdapter) => Promise<ResponseInit> {
  const route = createRoute(definition, server);
  const stages = pipeline<Body, Query>();
  return (request) =>
    observed(new RequestState(route, server, request, { caller: new ClientConnection() }), (state) =>
      run(stages, state, responseOf),
    );
}

/** Handles internal requests to one endpoint: for a principal that is known, with a JSON body that is in memory. */
export function createInternalDispatch<Body, Query>(
  definition: RouteDefinition<Body, Query>,
  server: ServerContext,
): InternalDispatch {
  const route = createRoute(definition, server);
  const stages = internalPipeline<Body, Query>();
  const { method, path: url } = route;
  return ({ principal, body: parsedBody, caller, tier, batchLine, entry }) => {
    const { keyId, project } = principal;
    const init = { caller, tier, batchLine, entry: { keyId, project, ...entry } };
    const state = new RequestState(route, server, { ...internalRequest, method, url, parsedBody }, init);
    state.principal = principal;
    return observed(state, () => run(stages, state, internalReplyOf));
  };
}

/** Handles a request as part of its observation, where there is one. */
function observed<Body, Query, Result>(
  state: RequestState<Body, Query>,
  handle: (state: RequestState<Body, Query>) => Promise<Result>,
): Promise<Result> {
  const { observer } = state.server.options;
  if (!observer) return handle(state);
  const { method, request, route, batchLine, header } = state;
  const observation = observer.startRequest({ method, url: request.url, route: route.path, header, batchLine });
  state.observation = observation;
  if (observation.traceId !== undefined) state.entry.traceId = observation.traceId;
  return observation.run ? observation.run(() => handle(state)) : handle(state);
}

async function run<Body, Query, Result>(
  stages: readonly Stage<Body, Query>[],
  state: RequestState<Body, Query>,
  resultOf: (state: RequestState<Body, Query>) => Result,
): Promise<Result> {
  try {
    for (const stage of stages) {
      const given = stage(state);
      const reply = given instanceof Promise ? await given : given;
      if (reply) state.reply = reply;
    }
    return resultOf(state);
  } catch (thrown) {
    if (state.form) await state.form.discard();
    fail(state, thrown);
    return resultOf(state);
  } finally {
    // A stream is finished when it has ended, not when it has begun.
    const done = state.reply && 'done' in state.reply ? state.reply.done : undefined;
    if (done) void done.then(() => finishRequest(state));
    else finishRequest(state);
  }
}

function fail<Body, Query>(state: RequestState<Body, Query>, thrown: unknown): void {
  const { caller, entry } = state;
  const error = toRequestError(caller.reason ?? thrown);
  // Official clients retry a 503, and nothing but an idempotency key tells a retry from a second request.
  if (state.mayHaveCreated && isStorageUnavailable(error.cause)) state.responseHeaders['x-should-retry'] = 'false';
  entry.status = error.status;
  nameUpstream(state.responseHeaders, entry);
  logFailure(entry, error);
  state.error = error;
}

/** Gives back what the request held, and writes its log record. */
function finishRequest<Body, Query>(state: RequestState<Body, Query>): void {
  const { caller, entry, server } = state;
  state.leaveInFlight?.();
  state.endActivity?.();
  state.memory?.release();
  entry.durationMs = performance.now() - state.startedAt;
  if (caller.left) entry.aborted = true;
  state.observation?.end(entry);
  countRequest(state);
  server.log(entry);
}

/** Counts a request to a model, for the usage report and the recent errors of the console. */
function countRequest<Body, Query>({ server, entry, route, error }: RequestState<Body, Query>): void {
  const { keyId, project, status, durationMs } = entry;
  // Not requests to open a WebSocket connection: each of its responses is a request of its own.
  if (
    (!server.requestCounter && !server.recentErrors) ||
    route.access !== 'infer' ||
    route.method !== 'POST' ||
    keyId === undefined ||
    project === undefined
  )
    return;
  // A client that disconnects is no failure of the server.
  const isError = entry.aborted !== true && (status >= 400 || entry.error !== undefined);
  const model = knownModel(server, entry.model);
  server.requestCounter?.count({ project, keyId, model, isError, durationMs });
  if (!isError) return;
  server.recentErrors?.add({
    requestId: entry.requestId,
    at: nowInSeconds(),
    route: route.path,
    status,
    code: entry.error ?? String(status),
    param: error?.param ?? null,
    project,
    keyId,
    model,
    upstreamFailure: entry.upstreamFailure,
    batch: entry.batch,
  });
}

/** Names that no engine serves are not counted separately: clients could invent any number of them. */
function knownModel(server: ServerContext, id: string | undefined): string {
  if (id === undefined) return '';
  for (const registry of [server.models, server.embeddingModels, server.moderationModels, server.videoModels]) {
    const found = registry.find(id);
    if (found) return found.model.id;
  }
  return '';
}

function responseOf<Body, Query>({ error, response, responseHeaders }: RequestState<Body, Query>): ResponseInit {
  if (error) return respondError(error, responseHeaders);
  if (response) return response;
  throw new Error('no stage made a response');
}

/** @throws the error of a request that was aborted. */
function internalReplyOf<Body, Query>({
  caller,
  entry,
  error,
  reply,
  requestId: id,
}: RequestState<Body, Query>): InternalReply {
  if (error && caller.reason !== undefined) {
    entry.aborted = true;
    throw error;
  }
  if (error) return { status: error.status, requestId: id, body: errorBody(error), error };
  if (!reply || !('body' in reply)) throw new Error('an internal request was answered with a stream');
  entry.status = reply.status;
  return { status: reply.status, requestId: id, body: reply.body, error: undefined };
}
