import { DONE_EVENT } from '@modelwire/core';
import type { ChatCompletionCreateParams, ChatCompletion } from '@modelwire/schema/types';
import type { Call, LostStream } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported } from '../../errors.ts';
import { moderationReportOf } from '../../generation/moderators.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import type { JsonReply } from '../../http/reply.ts';
import { streamReply, writeError } from '../../streaming/event-pipe.ts';
import type { ChunkSink, StreamedReply } from '../../streaming/event-pipe.ts';
import { collector } from '../../streaming/collector.ts';
import type { Collector } from '../../streaming/collector.ts';
import type { ReplyEvent } from '../../streaming/events.ts';
import { relayStream, relayCompletion } from '../../streaming/relay.ts';
import type { RelayedCompletion } from '../../streaming/relay.ts';
import { stream } from '../../streaming/stream.ts';
import type { StreamOptions } from '../../streaming/stream.ts';
import { streamResumable } from './resumable-stream.ts';
import { runAdmitted } from '../../admission/admit.ts';
import { continueReply, withoutStart } from '../../generation/continue-reply.ts';
import { generate, relay } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { assertStorable, storeCompletion } from '../../generation/store-completion.ts';

/** POST /chat/completions (API: Create chat completion). */
export async function createChatCompletion(
  call: Call<ChatCompletionCreateParams>,
  server: ServerContext,
): Promise<JsonReply<ChatCompletion | RelayedCompletion> | StreamedReply> {
  assertStoreSupported(call.body, server);
  if (!call.body.stream) return completeChat(await startGeneration(call, call.body, server));
  if (call.lostStream || call.claimedStream || call.body.store || call.body.stream_options?.resumable) {
    return streamResumable(call, server, async ({ call, id, sink, begin }) => {
      const generation = await startGeneration(call, call.body, server, { id, created: call.lostStream?.created });
      await runAdmitted(generation.admission, async () => {
        await begin(generation);
        await streamChat(generation, sink);
      });
    });
  }
  const engine = server.models.chat.find(call.body.model)?.engine;
  return streamReply(call, server, engine, async (sink) => {
    try {
      const generation = await startGeneration(call, call.body, server);
      await runAdmitted(generation.admission, () => streamChat(generation, sink));
      sink.write(DONE_EVENT);
    } catch (thrown) {
      writeError(thrown, call, sink);
    }
  });
}

/** Refuses `store` and `resumable` without stores, and inputs that cannot be stored (API: `store` supports text and image inputs). */
function assertStoreSupported(body: ChatCompletionCreateParams, { options }: ServerContext): void {
  if (body.stream_options?.resumable && !options.stores) {
    throw unsupported(
      'stream_options.resumable',
      "Unsupported parameter: 'stream_options.resumable' is not supported: this server does not store events.",
    );
  }
  if (!body.store) {
    if (!body.metadata || Object.keys(body.metadata).length === 0) return;
    throw unsupported(
      'metadata',
      "Unsupported parameter: 'metadata' is stored with completions only: set 'store' to true.",
    );
  }
  if (!options.stores) {
    throw unsupported(
      'store',
      "Unsupported parameter: 'store' is not supported: this server does not store completions.",
    );
  }
  assertStorable(body);
}

/** Writes the chunks of a reply: all but the end of the stream. */
async function streamChat(generation: Generation, sink: ChunkSink): Promise<void> {
  const { body, metadata, accountant } = generation;
  const { stream_options: streamOptions, n } = body;
  const { logprobs, top_logprobs: topLogprobs } = generation.plan.request;
  const options = {
    obfuscate: streamOptions?.include_obfuscation ?? true,
    includeUsage: streamOptions?.include_usage ?? false,
    topLogprobs: logprobs ? topLogprobs : undefined,
    moderation: moderationReportOf(generation),
  };
  if (body.store) {
    await streamAndStore(generation, options, sink);
    return;
  }
  const { lostStream } = generation.call;
  if (lostStream) {
    await streamRest(generation, lostStream, options, sink);
    return;
  }
  const reply = await relay(generation);
  if (reply?.kind === 'stream')
    await relayStream(reply.payloads, metadata, { ...options, choices: n ?? 1 }, sink, accountant);
  else await stream(generate(generation), metadata, options, sink, accountant);
}

/** Writes the chunks of a reply that follow those of its server, which died. */
async function streamRest(
  generation: Generation,
  start: LostStream,
  options: StreamOptions,
  sink: ChunkSink,
): Promise<void> {
  const { metadata, accountant, resolvedModel } = generation;
  const reply = generate(generation, start.text === '' ? undefined : continueReply(start, resolvedModel.engine));
  const rest = withoutStart(reply, start.text.length);
  await stream(rest, metadata, { ...options, isContinued: start.next > 0 }, sink, accountant);
}

/** The stream ends after the completion is stored. */
async function streamAndStore(generation: Generation, options: StreamOptions, sink: ChunkSink): Promise<void> {
  const { accountant, metadata } = generation;
  const collected = collector(metadata, collectorOptions(generation));
  const beforeEnd = (): Promise<void> => storeCompletion(generation, collected.completion());
  await stream(collectEvents(generate(generation), collected), metadata, { ...options, beforeEnd }, sink, accountant);
}

async function* collectEvents(
  events: AsyncIterable<readonly ReplyEvent[]>,
  collected: Collector,
): AsyncGenerator<readonly ReplyEvent[]> {
  for await (const batch of events) {
    batch.forEach(collected.add);
    yield batch;
  }
}

/** Returns the complete completion. */
async function completeChat(generation: Generation): Promise<JsonReply<ChatCompletion | RelayedCompletion>> {
  const { body, metadata, plan, accountant } = generation;
  const { n, store, metadata: requestMetadata } = body;
  return runAdmitted(generation.admission, async () => {
    const reply = await relay(generation);
    if (reply?.kind === 'completion') {
      const { max_completion_tokens, max_tokens } = plan.body;
      const maxTokens = max_completion_tokens ?? max_tokens ?? undefined;
      return {
        status: 200,
        body: relayCompletion(reply.completion, { metadata, choices: n ?? 1, maxTokens, accountant }),
      };
    }
    const collected = collector(metadata, collectorOptions(generation));
    for await (const batch of generate(generation)) batch.forEach(collected.add);
    const completion = collected.completion();
    if (store) await storeCompletion(generation, completion);
    return { status: 200, body: requestMetadata ? { ...completion, metadata: requestMetadata } : completion };
  });
}

function collectorOptions(generation: Generation) {
  const { body, plan, accountant } = generation;
  return { n: body.n ?? 1, logprobs: plan.request.logprobs, accountant, moderation: moderationReportOf(generation) };
}
