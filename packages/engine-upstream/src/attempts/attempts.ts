import { backoffMs, sleep } from '@modelwire/adapter-kit';
import { randomUUID } from 'node:crypto';
import type { AttemptObservation, RequestError, UpstreamObserver } from '@modelwire/ports';
import { reportReply } from '@modelwire/adapter-kit/internal';
import type { CircuitBreaker, FirstTokenTimes, Permit } from '@modelwire/adapter-kit/internal';
import type { ServerSettings, TargetSettings } from '../presets/settings.ts';
import type { Server } from '../connect.ts';
import { exchange } from '../exchange.ts';
import type { OutgoingRequest, Reply } from '../exchange.ts';
import { TransportError } from '../transport-error.ts';
import { decodedReply } from '../replies/decoded-reply.ts';
import { observedPermit } from './observed-permit.ts';
import { circuitOpen, FailedReply, replyFailure, transportFailure } from './failures.ts';
import type { AttemptFailure } from './failures.ts';
import type { SerializeBody } from '../requests/outgoing-body.ts';
import { readText } from '../replies/reply-text.ts';

/** An upstream that serves the model, the model's name there, and the circuit breaker of the two. */
export interface Target extends Pick<TargetSettings, 'upstreamModel'> {
  readonly server: Server;
  readonly breaker: CircuitBreaker;
  /** Undefined for an upstream that shares its model with no other. */
  readonly firstTokens?: FirstTokenTimes | undefined;
}

type UpstreamPath =
  | '/chat/completions'
  | '/completions'
  | '/embeddings'
  | '/messages'
  | '/messages/count_tokens'
  | '/moderations'
  | '/responses';

export interface Call {
  /** In the order in which they are tried, each read when it is needed. */
  readonly targets: Iterable<Target>;
  /** Hash of the routing key. Default: the times to the first token are not measured. */
  readonly routingKey?: number | undefined;
  /** Path of the endpoint, after the base URL. */
  readonly path: UpstreamPath;
  /** The ID that clients use. */
  readonly publicId: string;
  readonly body: SerializeBody;
  readonly accept: 'application/json' | 'text/event-stream';
  /** Of the client, where the upstream has not been configured with others. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly retries: number;
  /**
   * Called with the name of each upstream that is tried, and again with the reason if its attempt fails. If the circuits of all upstreams are
   * open, called once, with the last of them.
   */
  readonly onUpstream?: ((name: string, failure?: string) => void) | undefined;
  readonly observer?: UpstreamObserver | undefined;
}

/** A reply of status 2xx. Its reader reports the outcome to the permit. */
export interface UpstreamReply {
  readonly reply: Reply;
  readonly permit: Permit;
  readonly server: ServerSettings;
}

/**
 * Reads a reply as far as another upstream can still be tried: a whole reply, or a stream up to its first token.
 *
 * @throws FailedReply if the reply turns out to be a failure, which it has reported to the permit.
 */
export type OpenReply<Result> = (reply: UpstreamReply) => Promise<Result>;

const maxErrorBodyBytes = 256 * 1024;
const backoff = { firstMs: 50, maxMs: 1_000 };

/**
 * Tries the upstreams in order until `open` accepts a reply, while the failure can be retried and attempts are left. Throws the last failure as a
 * `RequestError`, or the reason of the abort.
 *
 * A chat request whose connection failed after it was sent may have been processed. It is retried nevertheless, as official SDKs do, with the
 * same `idempotency-key`. An upstream that timed out is not retried, because it may still be processing the request.
 *
 * A request counts as at most one failure of an upstream, regardless of the number of attempts.
 */
export async function requestUpstream<Result>(call: Call, open: OpenReply<Result>): Promise<Result> {
  const targets = call.targets[Symbol.iterator]();
  const repeated: Target[] = [];
  const paused: Target[] = [];
  const nextTarget = (): Target | undefined => {
    const next = targets.next();
    return next.done === true ? repeated.shift() : next.value;
  };
  const idempotencyKey = randomUUID();
  let countedTargets: Set<Target> | undefined;
  let lastError: RequestError | undefined;
  let attempts = 0;
  let internalError: RequestError | undefined;
  for (let target = nextTarget(); target !== undefined && attempts <= call.retries; target = nextTarget()) {
    const permit = target.breaker.acquire();
    if (permit === undefined) {
      paused.push(target);
      continue;
    }
    if (lastError !== undefined) await waitBeforeRetry(attempts, call.signal, permit);
    attempts += 1;
    call.onUpstream?.(target.server.settings.name);
    const outcome = await attempt(call, open, {
      target,
      idempotencyKey,
      permit,
      number: attempts,
      isCounted: countedTargets?.has(target) === true,
    });
    if ('result' in outcome) return outcome.result;
    const { error, fault, retry } = outcome.failure;
    if (fault !== undefined) (countedTargets ??= new Set()).add(target);
    // A 500 is a reply to the request: a later attempt that finds an upstream down does not replace it.
    lastError = fault === undefined ? error : (internalError ?? error);
    if (retry === 'never') break;
    if (error.status === 500) internalError ??= error;
    if (retry === 'anywhere') repeated.push(target);
  }
  throw lastError ?? pausedError(call, paused);
}

/** Nothing was tried: the circuits of all upstreams are open, or half-open with a probe in progress. Reports the last upstream. */
function pausedError({ publicId, onUpstream }: Call, targets: readonly Target[]): RequestError {
  const last = targets.at(-1);
  if (last) onUpstream?.(last.server.settings.name, `circuit breaker ${last.breaker.state()}`);
  const [next] = [...targets].sort((a, b) => a.breaker.retryAfterMs() - b.breaker.retryAfterMs());
  return circuitOpen(
    `The upstream of the model '${publicId}'`,
    next?.breaker.retryAfterMs() ?? 0,
    next?.breaker.lastFailure(),
  );
}

interface Attempt {
  readonly target: Target;
  readonly idempotencyKey: string;
  readonly permit: Permit;
  readonly number: number;
  /** Whether the request already counts as a failure of the target. */
  readonly isCounted: boolean;
}

async function attempt<Result>(
  call: Call,
  open: OpenReply<Result>,
  { target, idempotencyKey, permit, number, isCounted }: Attempt,
): Promise<{ readonly result: Result } | { readonly failure: AttemptFailure }> {
  const { settings } = target.server;
  const observation = call.observer?.startUpstreamAttempt({
    upstream: settings.name,
    model: target.upstreamModel,
    method: 'POST',
    origin: settings.origin,
    path: settings.basePath + call.path,
    number,
  });
  // The permit retains this closure while the reply arrives, so it must not capture `call`, whose body may be large.
  const { onUpstream } = call;
  const onFailure = (reason: string): void => onUpstream?.(settings.name, reason);
  let failure: AttemptFailure;
  let status: number | undefined;
  let sentAt = performance.now();
  try {
    const request = createOutgoingRequest(call, target, {
      idempotencyKey,
      observation,
      onSend: () => (sentAt = performance.now()),
    });
    const received = await exchange(target.server, request, call.signal);
    const reply = decodedReply(received);
    ({ status } = reply);
    if (status >= 200 && status < 300) {
      permit.responded();
      const replyPermit = observedPermit(isCounted ? uncountedPermit(permit) : permit, {
        status,
        observation,
        onFailure,
      });
      const outcome = await openReply(open, { reply, permit: replyPermit, server: settings }, onFailure);
      const isMeasured = 'result' in outcome && call.accept === 'text/event-stream';
      if (isMeasured && call.routingKey !== undefined)
        target.firstTokens?.add(call.routingKey, performance.now() - sentAt);
      return outcome;
    }
    failure = replyFailure(reply.status, reply.headers, await readErrorText(reply), call, settings);
  } catch (thrown) {
    if (!(thrown instanceof TransportError)) {
      permit.released();
      observation?.end({ status, aborted: true });
      throw thrown;
    }
    failure = transportFailure(thrown, settings.name);
  }
  const reason = failure.fault ?? `status ${status ?? 'unknown'}`;
  observation?.end({ status, failure: reason });
  onFailure(reason);
  if (failure.fault !== undefined && isCounted) permit.released();
  else reportReply(permit, failure.fault);
  return { failure };
}

/** Errors other than a `FailedReply` are thrown: the client disconnected. */
async function openReply<Result>(
  open: OpenReply<Result>,
  upstreamReply: UpstreamReply,
  onFailure: (reason: string) => void,
): Promise<{ readonly result: Result } | { readonly failure: AttemptFailure }> {
  try {
    return { result: await open(upstreamReply) };
  } catch (thrown) {
    if (!(thrown instanceof FailedReply)) throw thrown;
    // The permit reports faults only.
    if (thrown.failure.fault === undefined) onFailure('an error in a reply');
    return { failure: thrown.failure };
  }
}

/** The same permit for a request that already counts as a failure of its upstream. */
function uncountedPermit(permit: Permit): Permit {
  return { ...permit, failed: permit.released };
}

interface OutgoingRequestInit {
  readonly idempotencyKey: string;
  readonly observation: AttemptObservation | undefined;
  /** Called once there is a connection for the request. */
  readonly onSend: () => void;
}

function createOutgoingRequest(
  call: Call,
  { server: { settings }, upstreamModel }: Target,
  { idempotencyKey, observation, onSend }: OutgoingRequestInit,
): OutgoingRequest {
  const headers = ['accept', call.accept, 'x-request-id', call.requestId, 'idempotency-key', idempotencyKey];
  if (observation) {
    const observed = observation.headers;
    for (const name in observed) headers.push(name, observed[name] ?? '');
  }
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (settings.configuredHeaders[name] === undefined) headers.push(name, value);
  headers.push(...settings.headers);
  const body = (): string | Promise<string> => {
    onSend();
    return call.body(upstreamModel, settings);
  };
  return { path: settings.basePath + call.path, headers, body };
}

/** The body of an error; undefined when it is too large or broken. */
async function readErrorText(reply: Reply): Promise<string | undefined> {
  try {
    return await readText(reply, maxErrorBodyBytes);
  } catch (thrown) {
    if (thrown instanceof TransportError) return undefined;
    throw thrown;
  }
}

async function waitBeforeRetry(attempts: number, signal: AbortSignal, permit: Permit): Promise<void> {
  try {
    await sleep(backoffMs(attempts, backoff), signal);
  } catch (reason) {
    permit.released();
    throw reason;
  }
}
