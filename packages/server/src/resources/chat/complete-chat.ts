import type { Reply } from '../../http/reply.ts';
import { collector } from '../../streaming/collector.ts';
import { isEventBatch, tokensOf } from '../../streaming/events.ts';
import { storeCompletion } from './store-completion.ts';
import { relayCompletion } from '../../streaming/relay.ts';
import { generate, recordUsage, relay } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generation.ts';
import type { ChatEvent } from '@modelwire/ports';

/** Returns the complete completion. */
export async function completeChat(generation: Generation): Promise<Reply> {
  const { call, metadata, release, plan, usageTracker } = generation;
  const { n, store, metadata: requestMetadata } = call.body;
  let error: unknown;
  try {
    const relayed = relay(generation);
    const reply = relayed && (await relayed);
    if (reply?.kind === 'whole')
      return { status: 200, body: relayCompletion(reply.completion, metadata, n ?? 1, usageTracker) };
    const collected = collector(metadata, { n: n ?? 1, logprobs: plan.request.logprobs, usageTracker });
    const add = (event: ChatEvent): void => {
      collected.add(event);
      if (event.type === 'finish') usageTracker.finishReasons.push(event.reason);
      usageTracker.count(tokensOf(event));
    };
    const events = generate(generation);
    if (isEventBatch(events)) events.forEach(add);
    else {
      for await (const some of events) {
        if (isEventBatch(some)) some.forEach(add);
        else add(some);
      }
    }
    const completion = collected.completion();
    if (store) await storeCompletion(generation, completion);
    return { status: 200, body: requestMetadata ? { ...completion, metadata: requestMetadata } : completion };
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    recordUsage(generation, error);
    release();
  }
}
