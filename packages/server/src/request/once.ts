import type { KeptAnswer } from '../ports/idempotency-store.ts';
import type { Reply } from './call.ts';
import type { Claimed } from './idempotency.ts';
import { eventStream, json } from './respond.ts';

/** A stream longer than this is not kept: whoever repeats its request has it made again. */
const maxKept = 4 * 1024 * 1024;

/** Runs a request whose key was claimed and keeps its answer. What failed is not kept: the key is free again. */
export async function once(claimed: Claimed, run: () => Reply | Promise<Reply>): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    await claimed.release();
    throw error;
  }
  if ('kept' in reply) return reply;
  if (!('events' in reply))
    return keep(claimed, { status: reply.status, contentType: json, body: JSON.stringify(reply.body) });
  if (typeof reply.events === 'string') {
    return keep(claimed, { status: reply.status, contentType: eventStream, body: reply.events });
  }
  return { ...reply, events: keptStream(reply.events, reply.status, claimed) };
}

async function keep(claimed: Claimed, kept: KeptAnswer): Promise<Reply> {
  await claimed.finish(kept);
  return { status: kept.status, kept, replayed: false };
}

/** The same stream; when it ends as it should, what it said is kept before its last bytes leave. */
function keptStream(events: ReadableStream<Uint8Array>, status: number, claimed: Claimed): ReadableStream<Uint8Array> {
  const reader = events.getReader();
  const decoder = new TextDecoder();
  let text: string | undefined = '';
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          if (text !== undefined) await claimed.release();
          controller.close();
          return;
        }
        if (text !== undefined) {
          text += decoder.decode(value, { stream: true });
          if (text.endsWith('data: [DONE]\n\n')) {
            await claimed.finish({ status, contentType: eventStream, body: text });
            text = undefined;
          } else if (text.length > maxKept) {
            await claimed.release();
            text = undefined;
          }
        }
        controller.enqueue(value);
      },
      async cancel(reason) {
        await reader.cancel(reason);
        if (text !== undefined) await claimed.release();
      },
    },
    { highWaterMark: 0 },
  );
}
