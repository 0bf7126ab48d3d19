import { isStorageUnavailable } from '@modelwire/ports';
import { errorBody, shuttingDown, toRequestError } from '../errors.ts';
import { ClientConnection, clientDisconnected } from '../client-connection.ts';
import type { ServerContext } from '../context.ts';
import type { InternalDispatch, InternalReply } from '../internal-dispatch.ts';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';
import { authenticate } from './authenticate.ts';
import { logError } from './log-error.ts';
import { internalRequest } from './internal-request.ts';
import { parse } from './parse-request.ts';
import { RequestState } from './request-state.ts';
import { nowInSeconds } from '../clock.ts';
import { setUpstreamHeader, renderReply, respondError } from './respond.ts';
import { createRoute } from './route.ts';
import type { RouteDefinition } from './route.ts';
import type { RateDecision } from '@modelwire/ports';
import { randomId } from '../ids.ts';
import { rateLimitHeaders, rateLimited, rateSubjectsOf } from '../limits/rate-limit.ts';
import { claimKey } from './idempotency.ts';
import type { Reply } from './reply.ts';
import { runIdempotent } from './run-idempotent.ts';

/**
 * One step of the pipeline. It fills in the state of the request, or gives the reply; it throws what ends the request. A promise is
 * returned only where there is something to wait for.
 */
type Stage<Body, Query> = (state: RequestState<Body, Query>) => Reply | undefined | Promise<Reply | undefined>;

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
    withObservation(new RequestState(route, server, request, { client: new ClientConnection() }), (state) =>
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
  return ({ principal, body: parsedBody, client, tier, batchLine, logRecord }) => {
    const { keyId, project } = principal;
    const init = { client, tier, batchLine, logRecord: { keyId, project, ...logRecord } };
    const state = new RequestState(route, server, { ...internalRequest, method, url, parsedBody }, init);
    state.principal = principal;
    return withObservation(state, () => run(stages, state, internalReplyOf));
  };
}

/** Stage: gives the request its ID, and the response the headers that every response has. */
function requestId<Body, Query>(state: RequestState<Body, Query>): undefined {
  state.requestId = state.logRecord.requestId = randomId('req_');
  const traceparent = state.header('traceparent');
  if (traceparent !== null && state.logRecord.traceId === undefined) {
    state.logRecord.traceId = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
  }
  state.responseHeaders = responseHeaders(state.requestId, state.server.cors?.headersFor(state.header('origin')));
}

/** Headers of every response, errors included. */
export function responseHeaders(
  requestId: string,
  cors: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return { 'x-request-id': requestId, 'x-content-type-options': 'nosniff', ...cors };
}

/** Stage: the request counts as active until `finishRequest` writes its log record. */
function accessLog<Body, Query>(state: RequestState<Body, Query>): undefined {
  state.unregisterActiveRequest = state.server.activeRequests.register(state.logRecord);
}

/** Stage: follows the client's connection. @throws a 503 while the server shuts down. */
function connection<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { client, server, request } = state;
  state.endInFlight = server.inFlight.register(client);
  request.onDisconnect(() => client.abort(clientDisconnected()));
  if (server.inFlight.isDraining()) throw shuttingDown();
  state.memory = server.bodyMemory.reserve();
}

/** Stage: counts the request against the limits of its key and project. @throws a 429. */
function rateLimit<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<undefined> {
  if (state.route.access === 'public') return undefined;
  const decision = state.server.options.rateLimiter?.consume(rateSubjectsOf(state.principal));
  if (decision instanceof Promise) return decision.then((taken) => applyRateDecision(taken, state.responseHeaders));
  if (decision) applyRateDecision(decision, state.responseHeaders);
  return undefined;
}

function applyRateDecision(decision: RateDecision, headers: Record<string, string>): undefined {
  if (decision.requests ?? decision.tokens) Object.assign(headers, rateLimitHeaders(decision));
  if (decision.retryAfterMs > 0) throw rateLimited(decision);
}

/**
 * Stage: a request with an `Idempotency-Key` gets the stored reply, or is handled here so that its reply is stored. Without stores
 * there is nowhere to store it, and the key has no effect.
 */
function idempotency<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<Reply> {
  const { idempotencyKey, server, principal } = state;
  if (idempotencyKey === null) return undefined;
  const run = async (): Promise<Reply> => {
    await state.route.preValidate?.(state, server);
    return state.route.handle(state, server);
  };
  const store = server.options.stores?.project(principal.project).idempotency;
  if (!store) return run();
  return (async () => {
    const { method, url } = state.request;
    const identifiedBy = { method, url, body: state.bodyIdentity };
    const claim = await claimKey(store, idempotencyKey, identifiedBy, server.options.idempotency);
    if ('claimed' in claim) return runIdempotent(claim.claimed, run, server.options.report);
    await state.form?.discard();
    return { status: claim.answer.status, cached: claim.answer, isReplayed: true };
  })();
}

/** Stage: runs the handler of the endpoint, unless an earlier stage gave the reply. */
function handle<Body, Query>(state: RequestState<Body, Query>): undefined | Reply | Promise<Reply> {
  if (state.reply) return undefined;
  state.mayHaveCreated = state.route.idempotent === true;
  return state.route.handle(state, state.server);
}

/** Stage: makes the response of the reply. */
function respond<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { reply, responseHeaders: headers, logRecord } = state;
  if (!reply) throw new Error('no stage gave a reply');
  logRecord.status = reply.status;
  if (logRecord.flagged) headers['x-modelwire-flagged'] = logRecord.flagged.join(', ');
  setUpstreamHeader(headers, logRecord);
  headers['openai-processing-ms'] = String(Math.round(performance.now() - state.startedAt));
  state.response = renderReply(reply, headers);
}

/** Handles a request as part of its observation, where there is one. */
function withObservation<Body, Query, Result>(
  state: RequestState<Body, Query>,
  handle: (state: RequestState<Body, Query>) => Promise<Result>,
): Promise<Result> {
  const { observer } = state.server.options;
  if (!observer) return handle(state);
  const { method, request, route, batchLine, header } = state;
  const observation = observer.startRequest({ method, url: request.url, route: route.path, header, batchLine });
  state.observation = observation;
  if (observation.traceId !== undefined) state.logRecord.traceId = observation.traceId;
  return observation.run ? observation.run(() => handle(state)) : handle(state);
}

async function run<Body, Query, Result>(
  stages: readonly Stage<Body, Query>[],
  state: RequestState<Body, Query>,
  resultOf: (state: RequestState<Body, Query>) => Result,
): Promise<Result> {
  try {
    // By index: V8 calls the iterator of an array at each step here.
    for (let index = 0; index < stages.length; index++) {
      const result = stages[index]?.(state);
      const reply = result instanceof Promise ? await result : result;
      if (reply) state.reply = reply;
    }
    return resultOf(state);
  } catch (thrown) {
    if (state.form) await state.form.discard();
    fail(state, thrown);
    return resultOf(state);
  } finally {
    // A streamed reply is finished when the stream has ended.
    const done = state.reply && 'done' in state.reply ? state.reply.done : undefined;
    if (done) void done.then(() => finishRequest(state));
    else finishRequest(state);
  }
}

function fail<Body, Query>(state: RequestState<Body, Query>, thrown: unknown): void {
  const { client, logRecord } = state;
  const error = toRequestError(client.reason ?? thrown);
  // Official clients retry a 503, and nothing but an idempotency key tells a retry from a second request.
  if (state.mayHaveCreated && isStorageUnavailable(error.cause)) state.responseHeaders['x-should-retry'] = 'false';
  logRecord.status = error.status;
  setUpstreamHeader(state.responseHeaders, logRecord);
  logError(logRecord, error);
  state.error = error;
}

/** Releases the resources of the request, and writes its log record. */
function finishRequest<Body, Query>(state: RequestState<Body, Query>): void {
  const { client, logRecord, server } = state;
  state.endForm?.();
  state.endInFlight?.();
  state.unregisterActiveRequest?.();
  state.memory?.release();
  logRecord.durationMs = performance.now() - state.startedAt;
  if (client.hasDisconnected) logRecord.aborted = true;
  state.observation?.end(logRecord);
  countRequest(state);
  server.log(logRecord);
}

/** Counts a request to a model, for the usage report and the recent errors of the console. */
function countRequest<Body, Query>({ server, logRecord, route, error }: RequestState<Body, Query>): void {
  const { keyId, project, status, durationMs } = logRecord;
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
  const isError = logRecord.aborted !== true && (status >= 400 || logRecord.error !== undefined);
  const model = knownModel(server, logRecord.model);
  server.requestCounter?.count({ project, keyId, model, isError, durationMs });
  if (!isError) return;
  server.recentErrors?.add({
    requestId: logRecord.requestId,
    at: nowInSeconds(),
    route: route.path,
    status,
    code: logRecord.error ?? String(status),
    param: error?.param ?? null,
    project,
    keyId,
    model,
    upstreamFailure: logRecord.upstreamFailure,
    batch: logRecord.batch,
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
  if (error) return { status: error.status, requestId: id, body: errorBody(error), error };
  if (!reply || !('body' in reply)) throw new Error('an internal request was answered with a stream');
  logRecord.status = reply.status;
  return { status: reply.status, requestId: id, body: reply.body, error: undefined };
}
