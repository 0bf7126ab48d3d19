import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import type { Reply } from '../../http/reply.ts';
import type { EventSink } from '../../streaming/event-pipe.ts';
import { collector } from '../../streaming/collector.ts';
import type { Collector } from '../../streaming/collector.ts';
import { flat } from '../../streaming/events.ts';
import { storeCompletion } from './store-completion.ts';
import { relayStream } from '../../streaming/relay.ts';
import { stream } from '../../streaming/stream.ts';
import type { StreamOptions } from '../../streaming/stream.ts';
import { streamReply, writeError } from '../../http/stream-reply.ts';
import { generate, recordUsage, relay } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generation.ts';

/** Streams the completion. Resolves with the first bytes: an earlier error is an HTTP status, a later one an error frame. */
export function streamChat(generation: Generation): Promise<Reply> {
  const { call, server, release, resolvedModel } = generation;
  return streamReply(call, server, resolvedModel.engine, async (sink) => {
    let failure: unknown;
    try {
      await (call.body.store ? produceAndStore(generation, sink) : produce(generation, sink));
    } catch (thrown) {
      failure = thrown;
      writeError(thrown, call, sink);
    } finally {
      recordUsage(generation, failure);
      release();
    }
  });
}

async function produce(generation: Generation, sink: EventSink): Promise<void> {
  const relayed = relay(generation);
  const reply = relayed && (await relayed);
  if (reply?.kind === 'stream')
    await relayStream(reply.payloads, generation.metadata, optionsOf(generation), sink, generation.usageTracker);
  else await stream(generate(generation), generation.metadata, optionsOf(generation), sink, generation.usageTracker);
}

/**
 * The stream ends after the completion is stored. If the client disconnects after the last token, the completion is still stored; if it
 * disconnects earlier, nothing is stored.
 */
async function produceAndStore(generation: Generation, sink: EventSink): Promise<void> {
  const { call, plan, usageTracker, metadata } = generation;
  const collected = collector(metadata, { n: call.body.n ?? 1, logprobs: plan.request.logprobs, usageTracker });
  let stored: Promise<void> | undefined;
  const beforeEnd = (): Promise<void> => (stored ??= storeCompletion(generation, collected.completion()));
  try {
    await stream(
      collectEvents(generate(generation), collected),
      metadata,
      { ...optionsOf(generation), beforeEnd },
      sink,
      usageTracker,
    );
  } finally {
    if (collected.isComplete()) await beforeEnd();
  }
}

async function* collectEvents(events: ChatEvents, collected: Collector): AsyncGenerator<ChatEvent> {
  for await (const event of flat(events)) {
    collected.add(event);
    yield event;
  }
}

function optionsOf({ call, plan }: Generation): StreamOptions {
  const { stream_options: streamOptions, n } = call.body;
  return {
    choices: n ?? 1,
    obfuscate: streamOptions?.include_obfuscation ?? true,
    includeUsage: streamOptions?.include_usage ?? false,
    topLogprobs: plan.request.logprobs ? plan.request.top_logprobs : undefined,
  };
}
