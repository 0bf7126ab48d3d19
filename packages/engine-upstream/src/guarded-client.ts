import { ApiError, ConnectionError, DecodeError, isModelwireError, TimeoutError } from '@modelwire/core';
import type { ModelwireError } from '@modelwire/core';
import { sleep } from '@modelwire/adapter-kit';
import type { RequestError } from '@modelwire/ports';
import { reportReply } from '@modelwire/adapter-kit/internal';
import type { CircuitBreaker, Permit } from '@modelwire/adapter-kit/internal';
import {
  connectionFailureReason,
  replyFailure,
  timedOut,
  unexpectedReply,
  upstreamUnreachable,
} from './attempts/failures.ts';
import type { UpstreamFailure } from './attempts/failures.ts';

export interface GuardedClientInit {
  readonly breaker: CircuitBreaker;
  /** The ID that clients use. */
  readonly model: string;
  /** Name of the upstream. */
  readonly server: string;
  readonly secrets: readonly string[];
  /** Creates the error to throw from the public details of a failure. `thrown` is the error of the client. */
  readonly toError: (publicError: RequestError, thrown: ModelwireError) => Error;
}

/** Runs one call of a client and reports its outcome to the circuit breaker. `answered` can be called at the first response of a long call. */
export type GuardedClient = <Result>(
  signal: AbortSignal,
  call: (onResponse: () => void) => Promise<Result>,
) => Promise<Result>;

/**
 * Calls a client of another server, and waits while its circuit is open. The public details of a failure have no addresses, keys or raw bodies.
 * Other errors and the reason of the signal are thrown unchanged.
 */
export function guardClient(init: GuardedClientInit): GuardedClient {
  const { breaker, toError } = init;
  return async (signal, call) => {
    const current: { permit: Permit | undefined } = { permit: await waitForPermit(breaker, signal) };
    const onResponse = (): void => {
      current.permit?.succeeded();
      current.permit = undefined;
    };
    try {
      const result = await call(onResponse);
      onResponse();
      return result;
    } catch (thrown) {
      const error = isModelwireError(thrown) && !signal.aborted ? thrown : undefined;
      const failure = error && clientFailure(error, init);
      reportOutcome(current.permit ?? breaker.acquire(), failure);
      signal.throwIfAborted();
      throw failure ? toError(failure.error, error) : thrown;
    }
  };
}

/** Delay between checks while another request probes the upstream. */
const probePollMs = 500;

async function waitForPermit(breaker: CircuitBreaker, signal: AbortSignal): Promise<Permit> {
  for (;;) {
    const permit = breaker.acquire();
    if (permit) return permit;
    await sleep(Math.max(breaker.retryAfterMs(), probePollMs), signal);
  }
}

function reportOutcome(permit: Permit | undefined, failure: UpstreamFailure | undefined): void {
  if (!permit) return;
  if (failure) reportReply(permit, failure.fault);
  else permit.released();
}

/** The failure of the server in an error of its client; undefined for other errors. */
function clientFailure(
  thrown: ModelwireError,
  { model, server, secrets }: Pick<GuardedClientInit, 'model' | 'server' | 'secrets'>,
): UpstreamFailure | undefined {
  if (thrown instanceof ApiError) {
    const headers = Object.fromEntries(thrown.headers);
    const body = JSON.stringify(thrown.body ?? null);
    return replyFailure(thrown.status, headers, body, { publicId: model, path: '' }, { name: server, secrets });
  }
  const cause = new Error(`${server}: ${thrown.name}`);
  if (thrown instanceof TimeoutError) return timedOut(server, thrown.phase, cause);
  if (thrown instanceof DecodeError) return unexpectedReply('not JSON', server);
  if (!(thrown instanceof ConnectionError)) return undefined;
  const reason = connectionFailureReason(thrown);
  return { error: upstreamUnreachable(server, reason, cause), fault: reason };
}
