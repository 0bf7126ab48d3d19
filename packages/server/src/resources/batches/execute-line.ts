import type { BatchInputLine } from '@modelwire/schema/types';
import { sleep } from '../../timers.ts';
import { errorBody } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import { randomId } from '../../ids.ts';
import type { Principal, RateLimiter } from '@modelwire/ports';
import type { ClientConnection } from '../../client-connection.ts';
import type { BatchLine } from '../../call.ts';
import type { InternalDispatch, InternalReply } from '../../internal-dispatch.ts';
import { rateLimited, rateSubjectsOf } from '../../limits/rate-limit.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { retryAfterMs } from './retry.ts';

interface ExecuteLineInit {
  readonly dispatch: InternalDispatch;
  readonly principal: Principal;
  readonly batchLine: BatchLine;
  readonly client: ClientConnection;
  readonly slots: FairSemaphore;
  readonly retryMs: number;
  readonly pausesOverBudget: boolean;
  readonly rateLimiter: RateLimiter | undefined;
  readonly onStateChange: (state: LineState) => void;
}

/** `queued`: waits for a slot; `running`: sent to the engine; `paused`: waits before a retry. */
export type LineState = 'queued' | 'running' | 'paused';

/** Sends a line to its endpoint like any other request, and retries it as long as `retryAfterMs` allows. @throws the client's reason when aborted. */
export async function executeLine(
  { body }: Pick<BatchInputLine, 'body'>,
  init: ExecuteLineInit,
): Promise<InternalReply> {
  const { signal } = init.client;
  for (let attempt = 1; ; attempt++) {
    const reply = await dispatchLine(body, init);
    const delayMs = retryAfterMs(reply.error, attempt, init.retryMs, init);
    if (delayMs === undefined) return reply;
    // The slot is free during the delay, for lines of other batches.
    init.onStateChange('paused');
    await sleep(delayMs, signal);
  }
}

async function dispatchLine(
  body: unknown,
  { dispatch, principal, batchLine, client, slots, rateLimiter, onStateChange }: ExecuteLineInit,
): Promise<InternalReply> {
  const { signal } = client;
  onStateChange('queued');
  const decision = await rateLimiter?.consume(rateSubjectsOf(principal));
  if (decision && decision.retryAfterMs > 0) return errorReply(rateLimited(decision));
  const releaseSlot = await slots.acquire(principal.project, signal);
  if (client.reason !== undefined) {
    releaseSlot();
    throw new Error('the line was aborted while it acquired its slot');
  }
  onStateChange('running');
  // An engine that ignores the signal keeps its slot, but this call returns.
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void dispatch({ principal, body, client, tier: 'flex', batchLine, logRecord: { batch: batchLine.batch } })
      .then(resolve, reject)
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
        releaseSlot();
      });
  });
}

function errorReply(error: RequestError): InternalReply {
  return { status: error.status, requestId: randomId('req_'), body: errorBody(error), error };
}
