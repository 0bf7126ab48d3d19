import { parseRequest, type Parsed, type ParseOptions } from '../parse.ts';
import type { ChatCompletionAssistantMessageParam, ChatCompletionMessageParam } from '../types/requests.ts';
import type { ChatCompletionCreateParams } from '../types/chat-request.ts';
import { chatCompletionCreateParamsSchema } from './create.ts';
import { schemaForPresentFields } from '../present-fields.ts';
import { firstBrokenRule } from './rules.ts';

export interface ChatParseOptions extends ParseOptions {
  /** The model of a request without `model`. Default: such a request is rejected. */
  readonly defaultModel?: string | undefined;
}

const schemaFor = schemaForPresentFields(chatCompletionCreateParamsSchema);

/**
 * Parses the body of Create chat completion: first its shape, then the rules between fields. Adds no defaults. Never throws for any input
 * (API: Create chat completion).
 */
export function parseChatCompletionCreate(
  body: unknown,
  options?: ChatParseOptions,
): Parsed<ChatCompletionCreateParams> {
  const input = options?.defaultModel === undefined ? body : withModel(body, options.defaultModel);
  const parsed = parseRequest(schemaFor(input), input, options);
  if (!parsed.ok) return parsed;
  const value = withoutEmptyToolCalls(parsed.value);
  const problem = firstBrokenRule(value);
  return problem ? { ok: false, problem } : { ok: true, value };
}

function withModel(body: unknown, model: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return 'model' in body && body.model !== null ? body : { ...body, model };
}

/** vLLM and other servers return `tool_calls: []`, and clients send it back. Hosted services reject the empty list, so it is removed. */
function withoutEmptyToolCalls(params: ChatCompletionCreateParams): ChatCompletionCreateParams {
  if (!params.messages.some(hasEmptyToolCalls)) return params;
  const messages = params.messages.map((message) => {
    if (!hasEmptyToolCalls(message)) return message;
    const { tool_calls, ...rest } = message;
    return rest;
  });
  return { ...params, messages };
}

function hasEmptyToolCalls(message: ChatCompletionMessageParam): message is ChatCompletionAssistantMessageParam {
  return message.role === 'assistant' && message.tool_calls?.length === 0;
}
