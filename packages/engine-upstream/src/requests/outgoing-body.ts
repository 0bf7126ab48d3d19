import { randomUUID } from 'node:crypto';
import { jsonInteger } from '@modelwire/core';
import { stringifyJson, usesPromptCache, withoutBreakpoints } from '@modelwire/adapter-kit/internal';
import { chatParameters } from '@modelwire/ports/internal';
import type { ChatModel, ChatRequest, EngineContext, TextCompletionRequest } from '@modelwire/ports';
import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import type { ForcedToolCall } from '../replies/forced-tool-call.ts';
import {
  forcesToolCallsBySchema,
  hasContinuousUsage,
  hasRefusalParts,
  needsContinueFinalMessage,
} from '../presets/presets.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { cacheSalt, hashText } from '@modelwire/adapter-kit/internal';

/** The JSON text of a request body for one server, with the name of the model there; a promise if it is large. */
export type SerializeBody = (upstreamModel: string, server: BodyServer) => string | Promise<string>;

interface BodyServer extends Pick<ServerSettings, 'preset' | 'promptCacheKey'> {
  /** Whether the body is that of a line of a batch, which is not streamed. Default false. */
  readonly isBatched?: boolean;
}

/**
 * The client's body with unknown fields, without parameters that only concern this server. `model` is the name at the upstream, and streams
 * request usage. `include_obfuscation` is not sent: the server kit pads streams itself, and upstreams reject unknown fields.
 */
export function relayBody(context: EngineContext): SerializeBody {
  const { requestBody: clientBody, model } = context;
  const requestBody = omitServerParameters(clientBody, model);
  const body =
    requestBody.stream === true ? { ...requestBody, stream_options: streamOptionsWithUsage(requestBody) } : requestBody;
  return withRefusalsAsTextIfNeeded(body, cacheFields(context));
}

/**
 * The client's body without the parameters that the server kit emulates: `n`, `stop`, the token limit, `seed` (which differs between the calls
 * of one request), tools and tool choice, response format and messages are those of `request`, and omitted if they have the default. Always a
 * stream.
 */
export function generateBody(
  request: ChatRequest,
  context: EngineContext,
  forced: ForcedToolCall | undefined,
): SerializeBody {
  const { requestBody: clientBody, model } = context;
  const requestBody = omitServerParameters(clientBody, model);
  // The limit keeps the name of the client's parameter: older servers only know the deprecated one.
  const limitName = typeof requestBody.max_tokens === 'number' ? 'max_tokens' : 'max_completion_tokens';
  const { tools, tool_choice, response_format } = request;
  const hasTools = tools.length > 0;
  const body = {
    ...requestBody,
    messages: knownMessages(request.messages, model),
    // Deprecated functions, which the server kit has converted to tools, are sent as tools.
    ...(requestBody.functions !== undefined && hasTools && { functions: undefined, function_call: undefined }),
    tools: hasTools ? tools : undefined,
    tool_choice: hasTools && tool_choice !== 'auto' ? tool_choice : undefined,
    parallel_tool_calls: hasTools && !request.parallel_tool_calls ? false : undefined,
    response_format: response_format.type === 'text' ? undefined : response_format,
    n: request.n > 1 ? request.n : undefined,
    stop: request.stop.length > 0 ? request.stop : undefined,
    max_tokens: undefined,
    max_completion_tokens: undefined,
    [limitName]: request.max_completion_tokens,
    seed: request.seed,
    stream: true,
    stream_options: streamOptionsWithUsage(requestBody),
  };
  // A reply that the server kit truncates ends before the last chunk, which has the usage.
  const withContinuousUsage = { ...body, stream_options: { ...body.stream_options, continuous_usage_stats: true } };
  const cache = cacheFields(context);
  const serverFields: ServerFields = (server) => ({ ...cache(server), ...continuationFields(request, server) });
  const serialize = (sent: typeof body): SerializeBody => withRefusalsAsTextIfNeeded(sent, serverFields);
  const [bodyForServer, bodyWithContinuousUsage] = [serialize(body), serialize(withContinuousUsage)];
  const bodyWithSchema = forced && serialize({ ...body, ...forcedCallFields(forced) });
  return (model, server) => {
    if (bodyWithSchema && forcesToolCallsBySchema(server.preset)) return bodyWithSchema(model, server);
    return (hasContinuousUsage(server.preset) ? bodyWithContinuousUsage : bodyForServer)(model, server);
  };
}

/** A second form of the body if its messages have parts that some servers do not support. */
function withRefusalsAsTextIfNeeded(
  body: { readonly messages: ChatRequest['messages'] },
  serverFields: ServerFields,
): SerializeBody {
  const original = serializer(body, serverFields);
  const messages = withoutRefusalParts(body.messages);
  if (messages === body.messages) return original;
  const refusalsAsText = serializer({ ...body, messages }, serverFields);
  return (model, server) => (hasRefusalParts(server.preset) ? original : refusalsAsText)(model, server);
}

/** Refusals of earlier replies as text. The same list if there are none. */
function withoutRefusalParts(messages: ChatRequest['messages']): ChatRequest['messages'] {
  const isRefusal = ({ type }: { readonly type: string }): boolean => type === 'refusal';
  const hasRefusal = messages.some(
    ({ role, content }) => role === 'assistant' && Array.isArray(content) && content.some(isRefusal),
  );
  if (!hasRefusal) return messages;
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string' || !message.content) return message;
    const content = message.content.map((part) =>
      part.type === 'refusal' ? { type: 'text' as const, text: part.refusal } : part,
    );
    return { ...message, content };
  });
}

/**
 * The fields that request a tool call as JSON. The tools are described in the messages, because servers reject a schema together with tools.
 */
function forcedCallFields({ messages, schema }: ForcedToolCall): Readonly<Record<string, unknown>> {
  return {
    messages,
    tools: undefined,
    tool_choice: undefined,
    parallel_tool_calls: undefined,
    logprobs: undefined,
    top_logprobs: undefined,
    response_format: { type: 'json_schema', json_schema: { name: 'tool_call', strict: true, schema } },
  };
}

/** The body of a legacy completion, always a stream. Parameters that the server kit emulates are those of `request`. */
export function textCompletionBody(request: TextCompletionRequest, context: EngineContext): SerializeBody {
  const { requestBody: clientBody, model } = context;
  const { messages, max_completion_tokens, logprobs, top_logprobs, ...requestBody } = omitServerParameters(
    clientBody,
    model,
  );
  const body = {
    ...requestBody,
    prompt: request.prompt,
    suffix: request.suffix,
    echo: request.echo ? true : undefined,
    max_tokens: request.max_completion_tokens,
    n: request.n > 1 ? request.n : undefined,
    stop: request.stop.length > 0 ? request.stop : undefined,
    seed: request.seed,
    logprobs: request.logprobs ? request.top_logprobs : undefined,
    stream: true,
    stream_options: { include_usage: true },
  };
  return serializer(body, cacheFields(context));
}

/**
 * Removes parameters that the server kit emulates for this model, because servers reject unknown fields even with default values. Completions
 * are stored by this server only (API: `store`).
 */
function omitServerParameters(
  requestBody: EngineContext['requestBody'],
  model: ChatModel,
): EngineContext['requestBody'] {
  const omitted: string[] = serverParameters(model).filter((name) => name in requestBody);
  // The default is omitted: llama.cpp b11434 treats 0 as no log probabilities.
  if (requestBody.top_logprobs === 0) omitted.push('top_logprobs');
  const messages = knownMessages(requestBody.messages, model);
  if (omitted.length === 0 && messages === requestBody.messages) return requestBody;
  return { ...requestBody, messages, ...Object.fromEntries(omitted.map((name) => [name, undefined])) };
}

/** The messages without cache breakpoints if the servers of the model do not know them, and with the reasoning under both of its names. */
function knownMessages(messages: ChatRequest['messages'], { capabilities }: ChatModel): ChatRequest['messages'] {
  const known = capabilities.parameters.prompt_cache_options === 'native' ? messages : withoutBreakpoints(messages);
  return known.some(hasReasoning) ? known.map(withReasoning) : known;
}

function hasReasoning(message: ChatCompletionMessageParam): boolean {
  return message.role === 'assistant' && typeof message.reasoning_content === 'string';
}

/** vLLM reads `reasoning`, SGLang and llama.cpp read `reasoning_content`; each ignores the other. */
function withReasoning(message: ChatCompletionMessageParam): ChatCompletionMessageParam & { reasoning?: string } {
  if (message.role !== 'assistant' || typeof message.reasoning_content !== 'string') return message;
  return { ...message, reasoning: message.reasoning_content };
}

const serverParametersCache = new WeakMap<ChatModel, readonly string[]>();

function serverParameters(model: ChatModel): readonly string[] {
  let names = serverParametersCache.get(model);
  if (!names) {
    const { parameters } = model.capabilities;
    names = ['store', 'metadata', ...chatParameters.filter((name) => parameters[name] !== 'native')];
    serverParametersCache.set(model, names);
  }
  return names;
}

function streamOptionsWithUsage(requestBody: EngineContext['requestBody']): Readonly<Record<string, unknown>> {
  return { ...requestBody.stream_options, include_obfuscation: undefined, include_usage: true };
}

/** Streaming is not supported in batches. */
export const notStreamed = { stream: undefined, stream_options: undefined };

/** Fields of a body that depend on the server. */
type ServerFields = (server: BodyServer) => object | undefined;

/** What `prompt_cache_key` becomes at servers that are configured so, and a request that uses no cache at servers that can be told. */
function cacheFields(context: EngineContext): ServerFields {
  const isCached = usesPromptCache(context.requestBody);
  const salt = isCached ? cacheSalt(context) : randomUUID();
  return ({ promptCacheKey: option, preset }) => {
    if (!isCached && (preset === 'llama.cpp' || typeof option === 'object')) return { cache_prompt: false };
    if (option === undefined || salt === undefined) return undefined;
    return option === 'cache_salt' ? { cache_salt: salt } : { id_slot: hashText(salt) % option.slots };
  };
}

/** vLLM refuses `continue_final_message` together with a generation prompt, which it adds by default. */
function continuationFields({ continue_final_message }: ChatRequest, { preset }: BodyServer): object | undefined {
  if (!continue_final_message || !needsContinueFinalMessage(preset)) return undefined;
  return { continue_final_message, add_generation_prompt: false };
}

/** Serialised for each attempt: one text is large, and the parsed body is kept in any case. Undefined fields are omitted. */
function serializer(requestBody: object, serverFields: ServerFields): SerializeBody {
  const body =
    'seed' in requestBody && typeof requestBody.seed === 'bigint'
      ? { ...requestBody, seed: jsonInteger(requestBody.seed) }
      : requestBody;
  return (model, server) =>
    stringifyJson({ ...body, ...serverFields(server), ...(server.isBatched === true && notStreamed), model });
}
