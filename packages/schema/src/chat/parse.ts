import { chatHints, withoutHints } from '../parsing/hints.ts';
import { parseRequest, withDefaultModel, type Parsed, type ModelParseOptions } from '../parsing/parse.ts';
import type { ChatCompletionAssistantMessageParam, ChatCompletionMessageParam } from '../types/requests.ts';
import type { ChatCompletionCreateParams } from '../types/params.ts';
import { chatCompletionCreateParamsSchema } from './create.ts';
import { schemaForPresentFields } from '../parsing/present-fields.ts';
import { firstBrokenRule } from './rules.ts';

const schemaFor = schemaForPresentFields(chatCompletionCreateParamsSchema);

/**
 * Parses the body of Create chat completion: first its shape, then the rules between fields. Adds no defaults. Never throws for any input
 * (API: Create chat completion).
 */
export function parseChatCompletionCreate(
  body: unknown,
  options?: ModelParseOptions,
): Parsed<ChatCompletionCreateParams> {
  const input = withoutHints(withDefaultModel(body, options), chatHints);
  const parsed = parseRequest(schemaFor(input), input, options);
  if (!parsed.ok) return parsed;
  const value = withoutEmptyToolCalls(parsed.value);
  const problem = firstBrokenRule(value);
  return problem ? { ok: false, problem } : { ok: true, value };
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
