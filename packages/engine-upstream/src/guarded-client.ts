import { ApiError, ConnectionError, DecodeError, isModelwireError, TimeoutError } from '@modelwire/core';
import type { ModelwireError } from '@modelwire/core';
import { sleep } from '@modelwire/ports';
import type { RequestError } from '@modelwire/ports';
import { reportAnswer } from './circuit-breaker.ts';
import type { CircuitBreaker, Permit } from './circuit-breaker.ts';
import { replyFailure, timedOut, unexpectedReply, upstreamUnreachable } from './failures.ts';
import type { ErrorAnswer } from './failures.ts';

export interface GuardedClientInit {
  readonly breaker: CircuitBreaker;
  /** The id that clients use. */
  readonly model: string;
  /** Name of the upstream. */
  readonly server: string;
  readonly secrets: readonly string[];
  /** Makes the error to throw from what may be shown of a failure. `thrown` is the error of the client. */
  readonly toError: (shown: RequestError, thrown: ModelwireError) => Error;
}

/** Runs one call of a client and reports its end to the circuit breaker. `answered` may be called at the first response of a call that lasts. */
export type GuardedClient = <Result>(
  signal: AbortSignal,
  call: (answered: () => void) => Promise<Result>,
) => Promise<Result>;

/**
 * Calls a client of another server, and waits while the circuit breaker does not allow it. What may be shown of a failure has no addresses, keys or raw bodies.
 * Errors of others are thrown as they are, and so is the reason of the signal.
 */
export function guardClient(init: GuardedClientInit): GuardedClient {
  const { breaker, toError } = init;
  return async (signal, call) => {
    const current: { permit: Permit | undefined } = { permit: await waitForPermit(breaker, signal) };
    const answered = (): void => {
      current.permit?.succeeded();
      current.permit = undefined;
    };
    try {
      const result = await call(answered);
      answered();
      return result;
    } catch (thrown) {
      const error = isModelwireError(thrown) && !signal.aborted ? thrown : undefined;
      const failure = error && clientFailure(error, init);
      report(current.permit ?? breaker.acquire(), failure);
      signal.throwIfAborted();
      throw failure ? toError(failure.error, error) : thrown;
    }
  };
}

/** While another request probes the upstream, nothing says when that will have ended. */
const probePollMs = 500;

async function waitForPermit(breaker: CircuitBreaker, signal: AbortSignal): Promise<Permit> {
  for (;;) {
    const permit = breaker.acquire();
    if (permit) return permit;
    await sleep(Math.max(breaker.retryAfterMs(), probePollMs), signal);
  }
}

function report(permit: Permit | undefined, failure: ErrorAnswer | undefined): void {
  if (!permit) return;
  if (failure) reportAnswer(permit, failure.fault);
  else permit.released();
}

/** What a client of another server threw; undefined if that is no failure of the server. */
function clientFailure(
  thrown: ModelwireError,
  { model, server, secrets }: Pick<GuardedClientInit, 'model' | 'server' | 'secrets'>,
): ErrorAnswer | undefined {
  if (thrown instanceof ApiError) {
    const headers = Object.fromEntries(thrown.headers);
    const body = JSON.stringify(thrown.body ?? null);
    return replyFailure(thrown.status, headers, body, { publicId: model, path: '' }, { name: server, secrets });
  }
  const cause = new Error(`${server}: ${thrown.name}`);
  if (thrown instanceof TimeoutError) return timedOut(server, thrown.phase, cause);
  if (thrown instanceof DecodeError) return unexpectedReply('not JSON', server);
  if (!(thrown instanceof ConnectionError)) return undefined;
  const reason = systemErrorCode(thrown) ?? 'the connection failed';
  return { error: upstreamUnreachable(server, reason, cause), fault: reason };
}

/** The first `code` in the chain of causes. Connecting to a name with several addresses gives an AggregateError. */
function systemErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  const inner: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown.cause];
  return inner.map(systemErrorCode).find((code) => code !== undefined);
}
