import type { BatchInputLine } from '@modelwire/schema/types';
import { sleep } from '../../timers.ts';
import { errorBody } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import { randomId } from '../../ids.ts';
import type { Principal, RateLimiter } from '@modelwire/ports';
import type { ClientConnection } from '../../client-connection.ts';
import type { BatchLine } from '../../call.ts';
import type { InternalDispatch, InternalReply } from '../../internal-dispatch.ts';
import { rateLimited, subjectsOf } from '../../limits/rate-limit.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { retryAfterMs } from './retry.ts';

interface AnswerInit {
  readonly inside: InternalDispatch;
  readonly principal: Principal;
  readonly batchLine: BatchLine;
  readonly client: ClientConnection;
  readonly turns: FairSemaphore;
  readonly retryMs: number;
  readonly pausesOverBudget: boolean;
  readonly rateLimiter: RateLimiter | undefined;
  readonly now: (state: LineState) => void;
}

/** A line waits for its turn, is asked, or waits for an engine that has no time. */
export type LineState = 'queued' | 'asked' | 'paused';

/** The answer to one line, as a live request would get it, however often it takes. @throws the client's reason when aborted. */
export async function answerLine({ body }: Pick<BatchInputLine, 'body'>, init: AnswerInit): Promise<InternalReply> {
  const { signal } = init.client;
  for (let tries = 1; ; tries++) {
    const reply = await ask(body, init);
    const wait = retryAfterMs(reply.error, tries, init.retryMs, init);
    if (wait === undefined) return reply;
    // Without its turn: lines of other batches may go to engines that have time.
    init.now('paused');
    await sleep(wait, signal);
  }
}

async function ask(
  body: unknown,
  { inside, principal, batchLine, client, turns, rateLimiter, now }: AnswerInit,
): Promise<InternalReply> {
  const { signal } = client;
  now('queued');
  const decision = await rateLimiter?.consume(subjectsOf(principal));
  if (decision && decision.retryAfterMs > 0) return refusal(rateLimited(decision));
  const leave = await turns.acquire(principal.project, signal);
  if (client.reason !== undefined) {
    leave();
    throw new Error('the line was given up as its turn came');
  }
  now('asked');
  // An engine that does not listen keeps its turn, but not us.
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void inside({ principal, body, client, tier: 'flex', batchLine, logRecord: { batch: batchLine.batch } })
      .then(resolve, reject)
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
        leave();
      });
  });
}

function refusal(error: RequestError): InternalReply {
  return { status: error.status, requestId: randomId('req_'), body: errorBody(error), error };
}
