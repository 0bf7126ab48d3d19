import { DONE_EVENT } from '@modelwire/core';
import type { EventPipe } from '../streaming/event-pipe.ts';
import type { CachedResponse } from '@modelwire/ports';
import { isStorageUnavailable } from '@modelwire/ports';
import type { Reply } from './reply.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { eventStream, json } from './respond.ts';

/** Longer streams are not stored: a retry of such a request runs again. */
const maxKept = 4 * 1024 * 1024;

/** Reports errors that do not affect the response. */
type Report = (what: string, error: unknown) => void;

/**
 * Runs a request whose idempotency key was claimed, and stores its response. A failed request is not stored: its key is released, unless
 * the storage was unavailable. Then the request may have been carried out, so the claim is left to expire, and a retry does not carry it
 * out twice. If the response cannot be stored, it is sent nevertheless and the failure is reported: only the replay is lost.
 */
export async function runIdempotent(
  key: IdempotencyClaim,
  run: () => Reply | Promise<Reply>,
  report: Report,
): Promise<Reply> {
  const claimed = withReports(key, report);
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    await endAfter(error, claimed);
    throw error;
  }
  if ('cached' in reply || 'bytes' in reply) {
    // Endpoints that create objects never reply with bytes, which cannot be stored, or with a stored response.
    await claimed.release();
    return reply;
  }
  if (!('events' in reply))
    return store(claimed, { status: reply.status, contentType: json, body: reply.json ?? JSON.stringify(reply.body) });
  if (!('done' in reply)) return store(claimed, { status: reply.status, contentType: eventStream, body: reply.events });
  return { ...reply, events: storingEvents(reply.events, reply.status, claimed) };
}

/** Ends the claim of a request that failed. */
async function endAfter(error: unknown, claimed: IdempotencyClaim): Promise<void> {
  if (isStorageUnavailable(error)) claimed.letExpire();
  else await claimed.release();
}

/** The same claim, with methods that report failures instead of throwing. If storing the response failed, the claim expires. */
function withReports(claimed: IdempotencyClaim, report: Report): IdempotencyClaim {
  return {
    async finish(answer) {
      try {
        await claimed.finish(answer);
      } catch (error) {
        // Not released: the request was carried out, and a retry would do so again.
        report('the response of an idempotency key was not stored', error);
      }
    },
    async release() {
      try {
        await claimed.release();
      } catch (error) {
        report('an idempotency key was not released', error);
      }
    },
    letExpire: () => claimed.letExpire(),
  };
}

async function store(claimed: IdempotencyClaim, cached: CachedResponse): Promise<Reply> {
  await claimed.finish(cached);
  return { status: cached.status, cached, isReplayed: false };
}

/** The same events. If they end with `[DONE]`, the text is stored before its last bytes are sent. */
function storingEvents(events: EventPipe, status: number, claimed: IdempotencyClaim): EventPipe {
  let text: string | undefined = '';
  async function giveUp(): Promise<void> {
    if (text === undefined) return;
    text = undefined;
    await claimed.release();
  }
  async function nextOf(pipe: EventPipe): Promise<string | undefined> {
    try {
      return await pipe.next();
    } catch (error) {
      if (text !== undefined) await endAfter(error, claimed);
      text = undefined;
      throw error;
    }
  }
  return {
    async next() {
      const piece = await nextOf(events);
      if (piece === undefined) {
        await giveUp();
      } else if (text !== undefined) {
        text += piece;
        if (text.endsWith(DONE_EVENT)) {
          await claimed.finish({ status, contentType: eventStream, body: text });
          text = undefined;
        } else if (text.length > maxKept) await giveUp();
      }
      return piece;
    },
    done: events.done,
    onStall: (tell) => events.onStall(tell),
    cancel(reason) {
      events.cancel(reason);
      // Not awaited: a claim that could not be released expires.
      void giveUp();
    },
  };
}
