import { isRecord } from '@modelwire/adapter-kit';
import { stringifyJson } from '@modelwire/adapter-kit/internal';
import { isStorageUnavailable } from '@modelwire/ports';
import { RequestError, errorBody, shuttingDown, toRequestError } from '../errors.ts';
import { isMessagesRequest, messageErrorBody } from './message-errors.ts';
import type { ServerContext } from '../context.ts';
import { authenticate, rateLimit } from './authenticate.ts';
import { logError } from '../call.ts';
import type { Call, HttpRequest, LogRecord } from '../call.ts';
import { modelKinds } from '../models/registries.ts';
import { parse } from './parse-request.ts';
import { RequestState } from './request-state.ts';
import type { Route } from './request-state.ts';
import { nowInSeconds } from '../clock.ts';
import type { Handle } from './router.ts';
import { eventStream, json } from './reply.ts';
import type { Reply, HttpResponse } from './reply.ts';
import { replayOrRun } from './idempotency.ts';
import { joinOrRun, refuseLastEventId } from './join-or-run.ts';

/** One step of the pipeline. It fills in the state of the request, or gives the reply; it throws what ends the request. */
type Stage<Body, Query> = (state: RequestState<Body, Query>) => Reply | undefined | Promise<Reply | undefined>;

/** The stages of every request, in their order. What one throws becomes the error response; `finishRequest` follows in any case. */
function pipeline<Body, Query>(): readonly Stage<Body, Query>[] {
  return [requestId, accessLog, connection, authenticate, rateLimit, parse, handle, respond];
}

/** The stages of requests that the server makes to itself, by who makes them: all but `respond`, or without those that admit a client. */
export function internalPipelines<Body, Query>(): {
  readonly ofConnection: readonly Stage<Body, Query>[];
  readonly ofPrincipal: readonly Stage<Body, Query>[];
} {
  const stages = pipeline<Body, Query>();
  const ofConnection = stages.slice(0, stages.indexOf(respond));
  return { ofConnection, ofPrincipal: [requestId, accessLog, ...ofConnection.slice(stages.indexOf(parse))] };
}

/** Handles the requests of one endpoint. */
export function createRequestHandler<Body, Query>(route: Route<Body, Query>, server: ServerContext): Handle {
  const stages = pipeline<Body, Query>();
  return (request) =>
    observe(new RequestState(route, server, request, { client: request.client }), (state) =>
      runStages(stages, state, responseOf),
    );
}

/** Stage: gives the request its ID, and the response the headers that every response has. */
function requestId<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { logRecord, server, header } = state;
  const headers = responseHeaders(server, state.request);
  state.responseHeaders = headers;
  state.requestId = logRecord.requestId = headers['x-request-id'];
  logRecord.traceId ??= traceIdOf(header);
}

/** Returns the trace ID of the header `traceparent`. */
function traceIdOf(header: HttpRequest['header']): string | undefined {
  const traceparent = header('traceparent');
  if (traceparent === null) return undefined;
  return /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
}

/** Stage: the request counts as active until `finishRequest` writes its log record. */
function accessLog<Body, Query>(state: RequestState<Body, Query>): undefined {
  state.unregisterActiveRequest = state.server.activeRequests.register(state.logRecord);
}

/** Stage: counts the client's connection as in use, and reserves memory for the body. @throws a 503 while the server shuts down. */
function connection<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { client, server } = state;
  state.endInFlight = server.inFlight.register(client);
  if (server.inFlight.isDraining()) throw shuttingDown();
  state.memory = server.bodyMemory.reserve();
}

/** Headers of every response, errors included, with a new ID of the request. */
export function responseHeaders(
  { createId, cors }: Pick<ServerContext, 'createId' | 'cors'>,
  request: Pick<HttpRequest, 'url' | 'header'>,
): Record<string, string> & { readonly 'x-request-id': string } {
  const id = createId('req_');
  return {
    'x-request-id': id,
    ...(isMessagesRequest(request) && { 'request-id': id }),
    'x-content-type-options': 'nosniff',
    ...cors?.headersFor(request.header('origin')),
  };
}

/** Stage: runs the handler of the endpoint, or replays the stored reply of an earlier request with the same `Idempotency-Key`. */
function handle<Body, Query>(state: RequestState<Body, Query>): Reply | Promise<Reply> {
  const { route, server, idempotencyKey, bodyIdentity } = state;
  const run = (): Reply | Promise<Reply> => route.handle(state, server);
  // A handler that receives its body itself does this when it has the body.
  if (route.read) return run();
  state.mayHaveCreated = route.isIdempotent === true && idempotencyKey === null;
  // It is as long as the body.
  state.bodyIdentity = '';
  if (route.streamIdPrefix !== undefined) {
    if (isStreamRequest(state.body)) return joinOrRun(state, route.streamIdPrefix, bodyIdentity, run);
    refuseLastEventId(state);
  }
  return replayOrRun(state, bodyIdentity, run);
}

function isStreamRequest(body: unknown): boolean {
  return isRecord(body) && body['stream'] === true;
}

/** Stage: makes the response of the reply. */
async function respond<Body, Query>(state: RequestState<Body, Query>): Promise<undefined> {
  const { reply, responseHeaders: headers, logRecord } = state;
  if (!reply) throw new Error('no stage gave a reply');
  logRecord.status = reply.status;
  if (logRecord.flagged) headers['x-modelwire-flagged'] = logRecord.flagged.join(', ');
  setUpstreamHeader(headers, logRecord);
  if (!('events' in reply)) setAttemptsHeader(headers, logRecord);
  headers['openai-processing-ms'] = String(Math.round(performance.now() - state.startedAt));
  const text = 'body' in reply ? await (reply.json ?? stringifyJson(reply.body)) : '';
  state.response = renderReply(reply, headers, text);
}

/** Handles a request as part of its observation, where there is one. */
export function observe<Body, Query, Result>(
  state: RequestState<Body, Query>,
  handle: (state: RequestState<Body, Query>) => Promise<Result>,
): Promise<Result> {
  const { observer } = state.server.options;
  if (!observer) return handle(state);
  const { method, request, route, startedAt, batchLine, background, header } = state;
  const observation = observer.startRequest({
    method,
    url: request.url,
    route: route.path,
    startedAt,
    header,
    batchLine,
    backgroundResponse: background?.id,
  });
  if (!observation) return handle(state);
  state.observation = observation;
  if (observation.traceId !== undefined) state.logRecord.traceId = observation.traceId;
  return observation.run ? observation.run(() => handle(state)) : handle(state);
}

export async function runStages<Body, Query, Result>(
  stages: readonly Stage<Body, Query>[],
  state: RequestState<Body, Query>,
  resultOf: (state: RequestState<Body, Query>) => Result,
): Promise<Result> {
  try {
    for (const stage of stages) {
      const reply = await stage(state);
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
  state.error = error;
  setUpstreamHeader(state.responseHeaders, logRecord);
  setAttemptsHeader(state.responseHeaders, logRecord);
  // The server aborts requests to itself, for instance when it stops. That is no failure, unlike the end of access.
  if (client.reason !== undefined && !(client.reason instanceof RequestError)) {
    logRecord.aborted = true;
    return;
  }
  logRecord.status = error.status;
  logError(logRecord, error);
  logRecord.retryInMs = client.reason === undefined ? state.retryDelayOf?.(error) : undefined;
}

/** Writes the log record of the request, and releases its resources. */
function finishRequest<Body, Query>(state: RequestState<Body, Query>): void {
  const { client, logRecord, server } = state;
  logRecord.durationMs = performance.now() - state.startedAt;
  if (client.hasDisconnected) logRecord.aborted = true;
  try {
    endObservation(state, server);
    writeLogRecord(logRecord, server.options);
    countRequest(state);
  } finally {
    state.endInFlight?.();
    state.unregisterActiveRequest?.();
    state.memory?.release();
  }
}

/** Observes and logs a request that has no route and gets an error. */
export function recordUnroutedRequest(
  request: Pick<HttpRequest, 'method' | 'url' | 'header'> & { readonly startedAt: number },
  error: RequestError,
  { requestId: id, server }: { readonly requestId: string; readonly server: Pick<ServerContext, 'options'> },
): void {
  const { method, url, header, startedAt } = request;
  const { options } = server;
  const observation = options.observer?.startRequest({ method, url, route: undefined, startedAt, header });
  const logRecord: LogRecord = {
    requestId: id,
    traceId: observation?.traceId ?? traceIdOf(header),
    method,
    route: undefined,
    status: error.status,
    durationMs: performance.now() - startedAt,
  };
  logError(logRecord, error);
  endObservation({ observation, logRecord }, server);
  writeLogRecord(logRecord, options);
}

/** Errors of the observer are reported: the log record is written in any case. */
export function endObservation(
  { observation, logRecord }: Pick<Call, 'observation' | 'logRecord'>,
  server: Pick<ServerContext, 'options'>,
): void {
  try {
    observation?.end(logRecord);
  } catch (error) {
    server.options.report('the end of a request was not observed', error);
  }
}

/** Writes a log record. Errors of the log are reported and do not affect the response. */
export function writeLogRecord(
  logRecord: LogRecord,
  { log, report }: Pick<ServerContext['options'], 'log' | 'report'>,
): void {
  try {
    log?.(logRecord);
  } catch (error) {
    report('a log line was not written', error);
  }
}

/** Counts a request to a model, for the usage report, the request log and the recent errors of the console. */
function countRequest<Body, Query>(state: RequestState<Body, Query>): void {
  const { server, logRecord, route, background, error } = state;
  const { keyId, project, status, durationMs } = logRecord;
  // An attempt of a batch line that is repeated is neither a request nor an error.
  if (logRecord.retryInMs !== undefined) return;
  // Not requests to open a WebSocket connection: each of its responses is a request of its own.
  if (route.access !== 'infer' || route.method !== 'POST' || keyId === undefined || project === undefined) return;
  // A client that disconnects is no failure of the server.
  const isError = logRecord.aborted !== true && (status >= 400 || logRecord.error !== undefined);
  const model = knownModel(server, logRecord.model);
  const { usage, firstTokenMs } = logRecord;
  const at = nowInSeconds(server.clock);
  const cost = usage === undefined ? undefined : server.prices.costOf(model, usage);
  const ended = { endpoint: route.path, at, keyId, project, model, isError, cost };
  if (isLogged(state)) server.requestLog.add(logRecord, ended);
  // It was counted when it was created.
  if (background) return;
  server.meter.countRequest({ project, keyId, model, isError, durationMs, firstTokenMs, usage, costMicros: cost ?? 0 });
  if (!isError) return;
  server.recentErrors.add({
    requestId: logRecord.requestId,
    at,
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

/**
 * Whether the request log has the request: not if it left a completion, now or before as the first with its idempotency key, and not if a limit
 * refused it, since a key beyond its limit could fill the log.
 */
function isLogged<Body, Query>({ logRecord, responseHeaders }: RequestState<Body, Query>): boolean {
  const isReplayed = responseHeaders['idempotent-replayed'] === 'true';
  return logRecord.completion === undefined && !isReplayed && logRecord.status !== 429;
}

/** Names that no engine serves are not counted separately: clients could invent any number of them. */
function knownModel(server: ServerContext, id: string | undefined): string {
  if (id === undefined) return '';
  for (const kind of modelKinds) {
    const found = server.models[kind].find(id);
    if (found) return found.model.id;
  }
  return '';
}

function responseOf<Body, Query>({ error, response, responseHeaders }: RequestState<Body, Query>): HttpResponse {
  if (error) return respondError(error, responseHeaders);
  if (response) return response;
  throw new Error('no stage made a response');
}

/** Adds the header that names the upstream that the request went to, if it went to one. */
function setUpstreamHeader(headers: Record<string, string>, { upstream }: LogRecord): void {
  if (upstream === undefined) return;
  headers['x-modelwire-upstream'] = /^[\x20-\x7e]+$/.test(upstream) ? upstream : encodeURIComponent(upstream);
}

/** Adds the header with the number of requests to the model, if the reply had to match a grammar. */
function setAttemptsHeader(headers: Record<string, string>, { outputAttempts }: LogRecord): void {
  if (outputAttempts !== undefined) headers['x-modelwire-attempts'] = String(outputAttempts);
}

/** @param text The serialized body of a reply that has one. */
function renderReply(reply: Reply, headers: Record<string, string>, text: string): HttpResponse {
  const { status } = reply;
  if ('events' in reply) {
    headers['content-type'] = eventStream;
    headers['cache-control'] = 'no-cache, no-transform';
    // Reverse proxies that buffer responses (nginx) do not buffer these.
    headers['x-accel-buffering'] = 'no';
    return { status, headers, body: reply.events };
  }
  if ('cached' in reply) {
    if (reply.isReplayed) headers['idempotent-replayed'] = 'true';
    headers['content-type'] = reply.cached.contentType;
    return { status, headers, body: reply.cached.body };
  }
  if ('bytes' in reply) return { status, headers: Object.assign(headers, reply.headers), body: reply.bytes };
  headers['content-type'] = json;
  return { status, headers, body: text };
}

/** The response to an error, in the form of the Messages API for its clients, whose responses have a `request-id`. */
export function respondError(error: RequestError, headers: Record<string, string>): HttpResponse {
  const requestId = headers['request-id'];
  return {
    status: error.status,
    headers: { ...headers, ...error.headers, 'content-type': json },
    body: JSON.stringify(requestId === undefined ? errorBody(error) : messageErrorBody(error, requestId)),
  };
}
