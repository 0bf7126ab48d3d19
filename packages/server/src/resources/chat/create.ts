import { DONE_EVENT } from '@modelwire/core';
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletion,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionStoredMessage,
} from '@modelwire/schema/types';
import type { Call, LostStream } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported, unsupportedValue } from '../../errors.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import type { JsonReply } from '../../http/reply.ts';
import { excerptOf } from '@modelwire/ports/internal';
import type { CompletionRecord } from '@modelwire/ports';
import { inlineByteLength } from '../../media/data-url.ts';
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
import type { ModerationReport } from '../../streaming/transforms/moderation-report.ts';
import { runAdmitted } from '../../admission/admit.ts';
import { continueReply, withoutStart } from '../../generation/continue-reply.ts';
import { generate, relay } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { isDataUrl, STORED_IMAGE_MAX_BYTES } from '@modelwire/schema';

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
  for (const [index, { content }] of body.messages.entries()) {
    if (!Array.isArray(content)) continue;
    const parts = content as readonly ChatCompletionContentPart[];
    const at = parts.findIndex(({ type }) => type === 'input_audio' || type === 'file');
    if (at === -1) continue;
    const path = `messages[${index}].content[${at}].type`;
    throw unsupportedValue(path, `Unsupported value: '${path}' cannot be stored: 'store' supports text and images.`);
  }
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
    moderation: reportOf(generation),
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
    const collected = collector(metadata, collectorOptions(generation));
    const reply = await relay(generation);
    if (reply?.kind === 'completion') {
      const { max_completion_tokens, max_tokens } = plan.body;
      const maxTokens = max_completion_tokens ?? max_tokens ?? undefined;
      return {
        status: 200,
        body: relayCompletion(reply.completion, { metadata, choices: n ?? 1, maxTokens, accountant }),
      };
    }
    for await (const batch of generate(generation)) batch.forEach(collected.add);
    const completion = collected.completion();
    if (store) await storeCompletion(generation, completion);
    return { status: 200, body: requestMetadata ? { ...completion, metadata: requestMetadata } : completion };
  });
}

function collectorOptions(generation: Generation) {
  const { body, plan, accountant } = generation;
  return { n: body.n ?? 1, logprobs: plan.request.logprobs, accountant, moderation: reportOf(generation) };
}

/** The results of the moderation that the request asked for. */
function reportOf({ moderators }: Generation): ModerationReport | undefined {
  return moderators.find(({ report }) => report)?.report;
}

/** Stores a completion with its request (API: Chat completion object, stored). Resolves when it is durable. */
function storeCompletion(generation: Generation, completion: ChatCompletion): Promise<void> {
  const { call, body, server, metadata } = generation;
  const completions = server.options.stores?.project(call.principal.project).completions;
  if (!completions) throw new Error('the completion cannot be stored: the server has no stores');
  const record: CompletionRecord = {
    completion: {
      ...completion,
      request_id: call.requestId,
      api_key_id: call.principal.keyId,
      ...measuresOf(generation),
      prompt_excerpt: excerptOf(promptText(body)),
      tool_choice: body.tool_choice ?? null,
      seed: typeof body.seed === 'bigint' ? String(body.seed) : (body.seed ?? null),
      top_p: body.top_p ?? 1,
      temperature: body.temperature ?? 1,
      presence_penalty: body.presence_penalty ?? 0,
      frequency_penalty: body.frequency_penalty ?? 0,
      input_user: body.user ?? null,
      tools: body.tools ? [...body.tools] : null,
      metadata: body.metadata ?? {},
      response_format: body.response_format ?? null,
      request_parameters: otherParameters(body),
    },
    messages: [...body.messages, ...completion.choices.map(({ message }) => message)].map((message, index) =>
      storedMessage(message, `${metadata.id}-${index}`),
    ),
  };
  return server.storageQuota.write(call.principal, (limit) => completions.append(record, limit));
}

/** How long the generation took so far, and what it cost. */
function measuresOf({ call, server, resolvedModel, accountant }: Generation) {
  const { firstTokenAt, current } = accountant;
  const { costOf, currency } = server.prices;
  const costMicros = costOf(resolvedModel.model.id, current);
  return {
    duration_ms: Math.round(performance.now() - call.startedAt),
    first_token_ms: firstTokenAt === undefined ? null : Math.round(firstTokenAt - call.startedAt),
    cost: costMicros === undefined ? null : { value: costMicros / 1e6, currency },
  };
}

/** The text of the last message of the user. */
function promptText({ messages }: ChatCompletionCreateParams): string | null {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? null;
  if (typeof content === 'string' || content === null) return content;
  const parts = content as readonly ChatCompletionContentPart[];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The model of a request, and its parameters that a stored completion has no field for. */
function otherParameters(body: ChatCompletionCreateParams): Record<string, unknown> {
  const {
    // Fields of the completion, and its messages.
    messages: _messages,
    tools: _tools,
    tool_choice: _toolChoice,
    response_format: _format,
    seed: _seed,
    temperature: _temperature,
    top_p: _topP,
    presence_penalty: _presence,
    frequency_penalty: _frequency,
    user: _user,
    metadata: _metadata,
    // Parameters of the delivery.
    store: _store,
    stream: _stream,
    stream_options: _streamOptions,
    ...others
  } = body;
  return others;
}

/**
 * A message of the request or of the reply as Get chat messages returns it: a text stays `content`, parts are `content_parts`
 * (decision 0011).
 */
function storedMessage(
  message: ChatCompletionMessageParam | ChatCompletionMessage,
  id: string,
): ChatCompletionStoredMessage {
  const { content = null, ...rest } = message;
  const parts =
    typeof content === 'string' || content === null ? undefined : (content as readonly ChatCompletionContentPart[]);
  const texts = parts?.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    ...(rest as Omit<ChatCompletionStoredMessage, 'id' | 'content'>),
    id,
    content: parts ? (texts && texts.length > 0 ? texts.join('') : null) : (content as string | null),
    refusal: ('refusal' in message ? message.refusal : null) ?? null,
    name: ('name' in message ? message.name : null) ?? null,
    content_parts: parts ? storedParts(parts) : null,
  };
}

function storedParts(parts: readonly ChatCompletionContentPart[]): ChatCompletionStoredMessage['content_parts'] {
  return parts.filter(
    (part): part is ChatCompletionContentPartText | ChatCompletionContentPartImage =>
      part.type === 'text' || (part.type === 'image_url' && imageBytes(part.image_url.url) <= STORED_IMAGE_MAX_BYTES),
  );
}

/** Bytes of an image in a data URL; 0 for an image at another URL. */
function imageBytes(url: string): number {
  return isDataUrl(url) ? inlineByteLength(url) : 0;
}
