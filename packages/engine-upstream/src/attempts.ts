import { backoffMs, sleep } from '@modelwire/ports';
import { randomUUID } from 'node:crypto';
import type { AttemptObservation, RequestError, UpstreamObserver } from '@modelwire/ports';
import { reportReply } from './circuit-breaker.ts';
import type { CircuitBreaker, Permit } from './circuit-breaker.ts';
import type { ServerSettings, TargetSettings } from './settings.ts';
import { exchange, TransportError } from './exchange.ts';
import type { Connections, Reply } from './exchange.ts';
import { observedPermit } from './observed-permit.ts';
import { circuitOpen, replyFailure, transportFailure } from './failures.ts';
import type { AttemptFailure } from './failures.ts';
import type { SerializeBody } from './outgoing-body.ts';
import { readText } from './reply-text.ts';

/** An upstream and its connections. */
export interface Server {
  readonly settings: ServerSettings;
  readonly dispatcher: Connections;
}

/** An upstream that serves the model, the model's name there, and the circuit breaker of the two. */
export interface Target extends Omit<TargetSettings, 'server'> {
  readonly server: Server;
  readonly breaker: CircuitBreaker;
}

export interface Call {
  /** In the order in which they are tried. */
  readonly targets: readonly Target[];
  /** Path of the endpoint, after the base URL. */
  readonly path: '/chat/completions' | '/completions' | '/embeddings' | '/moderations' | '/responses';
  /** The ID that clients use. */
  readonly publicId: string;
  readonly body: SerializeBody;
  readonly accept: 'application/json' | 'text/event-stream';
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

const maxErrorBodyBytes = 256 * 1024;
const backoff = { firstMs: 50, maxMs: 1_000 };

/**
 * Tries the upstreams in order until one replies, while the failure can be retried and attempts are left. Throws the last failure as a
 * `RequestError`, or the reason of the abort.
 *
 * A chat request whose connection failed after it was sent may have been processed. It is retried nevertheless, as official SDKs do, with the
 * same `idempotency-key`. An upstream that timed out is not retried, because it may still be processing the request.
 *
 * A request counts as at most one failure of an upstream, regardless of the number of attempts.
 */
export async function requestUpstream(call: Call): Promise<UpstreamReply> {
  const remaining = [...call.targets];
  const idempotencyKey = randomUUID();
  let countedTargets: Set<Target> | undefined;
  let lastError: RequestError | undefined;
  let attempts = 0;
  let internalError: RequestError | undefined;
  for (let target = remaining.shift(); target !== undefined && attempts <= call.retries; target = remaining.shift()) {
    const permit = target.breaker.acquire();
    if (permit === undefined) continue;
    if (lastError !== undefined) await waitBeforeRetry(attempts, call.signal, permit);
    attempts += 1;
    call.onUpstream?.(target.server.settings.name);
    const outcome = await attempt(call, {
      target,
      idempotencyKey,
      permit,
      number: attempts,
      isCounted: countedTargets?.has(target) === true,
    });
    if ('reply' in outcome) return outcome;
    if (outcome.fault !== undefined) (countedTargets ??= new Set()).add(target);
    // A 500 is a reply to the request: a later attempt that finds an upstream down does not replace it.
    lastError = outcome.fault === undefined ? outcome.error : (internalError ?? outcome.error);
    if (outcome.retry === 'never' || (outcome.retry === 'once-elsewhere' && internalError !== undefined)) break;
    if (outcome.retry === 'once-elsewhere') internalError = outcome.error;
    if (outcome.retry === 'anywhere') remaining.push(target);
  }
  throw lastError ?? pausedError(call);
}

/** Nothing was tried: the circuits of all upstreams are open, or half-open with a probe in progress. Reports the last upstream. */
function pausedError({ targets, publicId, onUpstream }: Call): RequestError {
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

async function attempt(
  call: Call,
  { target, idempotencyKey, permit, number, isCounted }: Attempt,
): Promise<UpstreamReply | AttemptFailure> {
  const { settings, dispatcher } = target.server;
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
  try {
    const reply = await exchange(
      dispatcher,
      createOutgoingRequest(call, target, idempotencyKey, observation),
      call.signal,
    );
    ({ status } = reply);
    if (status >= 200 && status < 300) {
      permit.responded();
      return { reply, permit: observedPermit(permit, { status, observation, onFailure }), server: settings };
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
  return failure;
}

function createOutgoingRequest(
  call: Call,
  { server: { settings }, upstreamModel }: Target,
  idempotencyKey: string,
  observation: AttemptObservation | undefined,
) {
  const headers = ['accept', call.accept, 'x-request-id', call.requestId, 'idempotency-key', idempotencyKey];
  if (observation) {
    const observed = observation.headers;
    for (const name in observed) headers.push(name, observed[name] ?? '');
  }
  headers.push(...settings.headers);
  const { firstByte, idle } = settings.timeouts;
  return { path: settings.basePath + call.path, headers, body: call.body(upstreamModel, settings), firstByte, idle };
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
