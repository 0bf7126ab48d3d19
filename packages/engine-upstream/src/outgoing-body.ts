import { jsonInteger } from '@modelwire/core';
import { chatParameters } from '@modelwire/ports';
import type { ChatModel, ChatRequest, EngineContext, TextCompletionRequest } from '@modelwire/ports';
import type { ForcedToolCall } from './forced-tool-call.ts';
import { forcesToolCallsBySchema, hasContinuousUsage, hasRefusalParts } from './presets.ts';
import type { ServerSettings } from './settings.ts';

/** The JSON text of a request body for one server, under the name the model has there. */
export type BodyFor = (upstreamModel: string, server: Pick<ServerSettings, 'preset'>) => string;

/**
 * The client's body as it is, unknown fields too, less what is not the server's affair; only `model` is the server's name for it, and
 * streams ask for usage.
 * `include_obfuscation` stays here: the server kit pads what it sends itself, and servers in use refuse fields they do not know.
 */
export function relayBody({ requestBody: whole, model }: EngineContext): BodyFor {
  const requestBody = without(whole, model);
  const body =
    requestBody.stream === true ? { ...requestBody, stream_options: streamOptions(requestBody) } : requestBody;
  return inBothForms(body);
}

/**
 * The client's body less what the server kit does around the engine: `n`, `stop`, the token limit, `seed`, of which each of several
 * calls for one request has its own, the tools and how they are chosen, the format and the messages are as `request` says,
 * and left out where that is the default. Always a stream.
 */
export function generateBody(
  request: ChatRequest,
  { requestBody: whole, model }: EngineContext,
  forced: ForcedToolCall | undefined,
): BodyFor {
  const requestBody = without(whole, model);
  // The limit keeps the name the client gave it: older servers know only the deprecated one.
  const limitName = typeof requestBody.max_tokens === 'number' ? 'max_tokens' : 'max_completion_tokens';
  const { tools, tool_choice, response_format } = request;
  const hasTools = tools.length > 0;
  const body = {
    ...requestBody,
    messages: request.messages,
    // Functions that the server kit turned into tools go out as tools.
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
    stream_options: streamOptions(requestBody),
  };
  // A reply that the server kit truncates ends before the last chunk, which has the usage.
  const withContinuousUsage = { ...body, stream_options: { ...body.stream_options, continuous_usage_stats: true } };
  const [withoutIt, withIt] = [inBothForms(body), inBothForms(withContinuousUsage)];
  const asSchema = forced && inBothForms({ ...body, ...bodyOfForcedCall(forced) });
  return (model, server) => {
    if (asSchema && forcesToolCallsBySchema(server.preset)) return asSchema(model, server);
    return (hasContinuousUsage(server.preset) ? withIt : withoutIt)(model, server);
  };
}

/** A body in a second form if its messages have parts that some servers do not know. */
function inBothForms(body: { readonly messages: ChatRequest['messages'] }): BodyFor {
  const asSent = memoized(body);
  const messages = withoutRefusalParts(body.messages);
  if (messages === body.messages) return asSent;
  const asText = memoized({ ...body, messages });
  return (model, server) => (hasRefusalParts(server.preset) ? asSent : asText)(model, server);
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

/** The fields that request a tool call as JSON. The tools are in the messages: servers refuse a schema beside tools. */
function bodyOfForcedCall({ messages, schema }: ForcedToolCall): Readonly<Record<string, unknown>> {
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

/** The body of a legacy completion, always a stream. What the server kit does around the engine is as `request` says. */
export function textCompletionBody(
  request: TextCompletionRequest,
  { requestBody: whole, model }: EngineContext,
): BodyFor {
  const { messages, max_completion_tokens, logprobs, top_logprobs, ...requestBody } = without(whole, model);
  return memoized({
    ...requestBody,
    prompt: request.prompt,
    suffix: request.suffix,
    max_tokens: request.max_completion_tokens,
    n: request.n > 1 ? request.n : undefined,
    stop: request.stop.length > 0 ? request.stop : undefined,
    seed: request.seed,
    logprobs: request.logprobs ? request.top_logprobs : undefined,
    stream: true,
    stream_options: { include_usage: true },
  });
}

/**
 * Without parameters that this model has not itself: what the server kit does instead is no word of it, and servers in use refuse fields they do
 * not know, also where they ask for nothing. What is stored is stored here alone (interface: `store`).
 */
function without(requestBody: EngineContext['requestBody'], model: ChatModel): EngineContext['requestBody'] {
  const foreign: string[] = foreignTo(model).filter((name) => name in requestBody);
  // The default goes unsaid: llama.cpp b11434 takes a 0 for no log probabilities at all.
  if (requestBody.top_logprobs === 0) foreign.push('top_logprobs');
  if (foreign.length === 0) return requestBody;
  return { ...requestBody, ...Object.fromEntries(foreign.map((name) => [name, undefined])) };
}

const known = new WeakMap<ChatModel, readonly string[]>();

function foreignTo(model: ChatModel): readonly string[] {
  let names = known.get(model);
  if (!names) {
    const { parameters } = model.capabilities;
    names = ['store', 'metadata', ...chatParameters.filter((name) => parameters[name] !== 'native')];
    known.set(model, names);
  }
  return names;
}

function streamOptions(requestBody: EngineContext['requestBody']): Readonly<Record<string, unknown>> {
  return { ...requestBody.stream_options, include_obfuscation: undefined, include_usage: true };
}

/** Serialised once, and once more only for a server that calls the model differently. What is undefined is left out. */
function memoized(requestBody: object): BodyFor {
  const body =
    'seed' in requestBody && typeof requestBody.seed === 'bigint'
      ? { ...requestBody, seed: jsonInteger(requestBody.seed) }
      : requestBody;
  let last: { readonly model: string; readonly text: string } | undefined;
  return (model) => {
    if (last?.model !== model) last = { model, text: JSON.stringify({ ...body, model }) };
    return last.text;
  };
}
