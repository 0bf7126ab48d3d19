import { firstBrokenRule } from '@modelwire/schema/internal';
import type { ChatModel } from '@modelwire/ports';
import type {
  ChatCompletionCreateParams,
  ResponseCreateParams,
  ResponseFormat,
  ResponseServiceTier,
  ResponseTextFormat,
  ServiceTier,
} from '@modelwire/schema/types';
import { RequestError, invalid, renameFields } from '../../errors.ts';
import { translateMessages } from './messages.ts';
import type { ItemWithPath } from './messages.ts';
import { translateTools } from './tools.ts';
import type { ToolWithPath, ToolSupport, TranslatedTools } from './tools.ts';

/** A request for a response as a chat request. */
export interface TranslatedRequest {
  readonly chat: ChatCompletionCreateParams;
  readonly tools: TranslatedTools;
  /** Types of the tools and items that were omitted, without duplicates. */
  readonly omittedTools: readonly string[];
  readonly translateError: TranslateError;
}

/**
 * Translates a request for a response to a chat request.
 *
 * @param items The whole conversation: earlier items, then those of the request.
 * @throws a 400 that names the field of the request at fault.
 */
export function translateRequest(
  body: ResponseCreateParams,
  items: readonly ItemWithPath[],
  model: ChatModel,
  support: ToolSupport,
): TranslatedRequest {
  const tools = translateTools(toolsOf(body, items), body.tool_choice, support);
  const translated = translateMessages(items, body.instructions, { ...support, names: tools.names });
  const { paths: messagePaths } = translated;
  // A native engine may accept a request without messages, but the checks of every request need one.
  const isPassed = support.hostedTools === 'pass' && items.length > 0 && translated.messages.length === 0;
  const messages = isPassed ? [{ role: 'user', content: '' } as const] : translated.messages;
  if (messages.length === 0) {
    throw invalid('input', "Invalid 'input': it must contain at least one message.", 'empty_array');
  }
  const { parameters } = model.capabilities;
  const { reasoning, text, include = [], service_tier } = body;
  const { webSearch } = tools;
  const hasTools = tools.tools.length > 0;
  const logprobs = include.includes('message.output_text.logprobs');
  const format = text?.format && responseFormat(text.format);
  // Without user text after the last reply, there is nothing new to search for.
  const searches = webSearch && (webSearch.isForced || messages.at(-1)?.role === 'user');
  const chat: ChatCompletionCreateParams = {
    model: body.model,
    messages,
    ...optional('max_completion_tokens', body.max_output_tokens),
    ...optional('temperature', body.temperature),
    ...optional('top_p', body.top_p),
    ...optional('presence_penalty', body.presence_penalty),
    ...optional('frequency_penalty', body.frequency_penalty),
    ...optional('safety_identifier', body.safety_identifier),
    ...optional('user', body.user),
    ...optional('verbosity', text?.verbosity),
    ...optional('response_format', format),
    ...optional('reasoning_effort', reasoning?.effort),
    ...optional('service_tier', service_tier && chatTier(service_tier)),
    ...(logprobs && { logprobs, ...optional('top_logprobs', body.top_logprobs) }),
    // Cache hints do not affect replies: a model without a cache ignores them.
    ...(parameters.prompt_cache_key !== 'refused' && optional('prompt_cache_key', body.prompt_cache_key)),
    ...(parameters.prompt_cache_retention !== 'refused' &&
      optional('prompt_cache_retention', body.prompt_cache_retention)),
    ...(parameters.prompt_cache_options !== 'refused' && optional('prompt_cache_options', body.prompt_cache_options)),
    ...optional('moderation', body.moderation),
    ...(hasTools && {
      tools: tools.tools,
      ...optional('parallel_tool_calls', body.parallel_tool_calls),
    }),
    ...optional('tool_choice', tools.toolChoice),
    ...(searches && { web_search_options: webSearch.options }),
    stream: body.stream ?? false,
  };
  const translateError = errorTranslator(messagePaths, tools.paths);
  const broken = firstBrokenRule(chat);
  if (broken) {
    const { message, param, code } = broken;
    throw translateError(new RequestError(message, { status: 400, param, code }));
  }
  const omittedTools = [...new Set([...tools.omittedTools, ...translated.omittedTools])];
  return { chat, tools, omittedTools, translateError };
}

/** The tools of the request, and those that its items add. */
function toolsOf({ tools = [] }: ResponseCreateParams, items: readonly ItemWithPath[]): ToolWithPath[] {
  const toolsWithPaths = tools.map((tool, index): ToolWithPath => ({ tool, path: `tools[${index}]` }));
  for (const { item, path } of items) {
    if (item.type !== 'additional_tools') continue;
    for (const [index, tool] of item.tools.entries()) toolsWithPaths.push({ tool, path: `${path}.tools[${index}]` });
  }
  return toolsWithPaths;
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Readonly<Record<Name, Value>> | undefined;
function optional(name: string, value: unknown): Readonly<Record<string, unknown>> | undefined {
  return value === undefined ? undefined : { [name]: value };
}

function responseFormat(format: ResponseTextFormat): ResponseFormat {
  if (format.type !== 'json_schema') return format;
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: { name, schema, ...optional('description', description), ...optional('strict', strict) },
  };
}

/** Chat has one tier less. */
function chatTier(tier: ResponseServiceTier): ServiceTier {
  return tier === 'ultrafast' ? 'fast' : tier;
}

/** Returns the error of a chat request with the path of the client's field. Errors that name no field are returned unchanged. */
type TranslateError = (error: RequestError) => RequestError;

const chatNames: readonly (readonly [RegExp, string])[] = [
  [/^max_completion_tokens\b/, 'max_output_tokens'],
  [/^reasoning_effort\b/, 'reasoning.effort'],
  [/^verbosity\b/, 'text.verbosity'],
  [/^response_format\.json_schema\b/, 'text.format'],
  [/^response_format\b/, 'text.format'],
  [/^(?:top_logprobs|logprobs)\b/, 'include'],
  [/^web_search_options\b/, 'tools'],
  [/^tool_choice\.(?:function|custom|allowed_tools)\b/, 'tool_choice'],
  [/^messages\b(?!\[)/, 'input'],
];

/** @param messagePaths Where each chat message comes from. @param toolPaths Where each chat tool comes from. */
function errorTranslator(messagePaths: readonly string[], toolPaths: readonly string[]): TranslateError {
  function translate(path: string): string {
    const message = /^messages\[(\d+)\](.*)$/.exec(path);
    if (message) {
      const [, index, rest = ''] = message;
      const itemPath = messagePaths[Number(index)] ?? 'input';
      return itemPath === 'instructions' ? itemPath : itemPath + partPath(rest);
    }
    const tool = /^tools\[(\d+)\](.*)$/.exec(path);
    if (tool) {
      const [, index, rest = ''] = tool;
      return (toolPaths[Number(index)] ?? 'tools') + rest.replace(/\.(?:function|custom|grammar)\b/g, '');
    }
    for (const [pattern, name] of chatNames) if (pattern.test(path)) return path.replace(pattern, name);
    return path;
  }
  return (error) => renameFields(error, translate);
}

/** Parts of messages have their fields one level higher than in chat, and calls are separate items. */
function partPath(rest: string): string {
  return rest
    .replace('.image_url.url', '.image_url')
    .replace('.image_url.file_id', '.file_id')
    .replace(/(\.content\[\d+\])\.file\b/, '$1')
    .replace(/\.tool_calls\[\d+\](?:\.id)?.*/, '');
}
