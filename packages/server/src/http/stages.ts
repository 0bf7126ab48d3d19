import type { RateDecision } from '@modelwire/ports';
import { clientDisconnected } from '../client-connection.ts';
import { shuttingDown } from '../errors.ts';
import { randomId } from '../ids.ts';
import { rateHeaders, rateLimited, subjectsOf } from '../limits/rate-limit.ts';
import { claimKey } from './idempotency.ts';
import type { Reply } from './reply.ts';
import type { RequestState } from './request-state.ts';
import { nameUpstream, render, responseHeaders } from './respond.ts';
import { runIdempotent } from './run-idempotent.ts';

/**
 * One step of the pipeline. It fills in the state of the request, or gives the reply; it throws what ends the request. A promise is
 * returned only where there is something to wait for.
 */
export type Stage<Body, Query> = (state: RequestState<Body, Query>) => Reply | undefined | Promise<Reply | undefined>;

/** Stage: gives the request its id, and the response the headers that every response has. */
export function requestId<Body, Query>(state: RequestState<Body, Query>): undefined {
  state.requestId = state.entry.requestId = randomId('req_');
  const traceparent = state.header('traceparent');
  if (traceparent !== null && state.entry.traceId === undefined) {
    state.entry.traceId = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
  }
  state.responseHeaders = responseHeaders(state.requestId, state.server.cors?.headersFor(state.header('origin')));
}

/** Stage: the request counts as active until `finishRequest` writes its log record. */
export function accessLog<Body, Query>(state: RequestState<Body, Query>): undefined {
  state.endActivity = state.server.activity.enter(state.entry);
}

/** Stage: follows the client's connection. @throws a 503 while the server shuts down. */
export function connection<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { caller, server, request } = state;
  request.onDisconnect(() => caller.abort(clientDisconnected()));
  state.leaveInFlight = server.inFlight.enter(caller);
  state.memory = server.bodies.reserve();
  if (server.inFlight.isDraining()) throw shuttingDown();
}

/** Stage: counts the request against the limits of its key and project. @throws a 429. */
export function rateLimit<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<undefined> {
  if (state.route.access === 'public') return undefined;
  const decision = state.server.options.rateLimiter?.take(subjectsOf(state.principal));
  if (decision instanceof Promise) return decision.then((taken) => applyDecision(taken, state.responseHeaders));
  if (decision) applyDecision(decision, state.responseHeaders);
  return undefined;
}

function applyDecision(decision: RateDecision, headers: Record<string, string>): undefined {
  if (decision.requests ?? decision.tokens) Object.assign(headers, rateHeaders(decision));
  if (decision.retryAfterMs > 0) throw rateLimited(decision);
}

/**
 * Stage: a request with an `Idempotency-Key` gets the stored reply, or is handled here so that its reply is stored. Without stores
 * there is nowhere to store it, and the key has no effect.
 */
export function idempotency<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<Reply> {
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
    const asked = { method, url, body: state.bodyIdentity };
    const claim = await claimKey(store, idempotencyKey, asked, server.options.idempotency);
    if ('claimed' in claim) return runIdempotent(claim.claimed, run, server.options.report);
    await state.form?.discard();
    return { status: claim.answer.status, kept: claim.answer, replayed: true };
  })();
}

/** Stage: runs the handler of the endpoint, unless an earlier stage gave the reply. */
export function handle<Body, Query>(state: RequestState<Body, Query>): undefined | Reply | Promise<Reply> {
  if (state.reply) return undefined;
  state.mayHaveCreated = state.route.idempotent === true;
  return state.route.handle(state, state.server);
}

/** Stage: makes the response of the reply. */
export function respond<Body, Query>(state: RequestState<Body, Query>): undefined {
  const { reply, responseHeaders: headers, entry } = state;
  if (!reply) throw new Error('no stage gave a reply');
  entry.status = reply.status;
  if (entry.flagged) headers['x-modelwire-flagged'] = entry.flagged.join(', ');
  nameUpstream(headers, entry);
  headers['openai-processing-ms'] = String(Math.round(performance.now() - state.startedAt));
  state.response = render(reply, headers);
}
