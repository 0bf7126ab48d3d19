import { conversationIdOf } from './history.ts';
import { isFunctionTool } from './tools.ts';
import type {
  CompletionUsage,
  ResponseCreateParams,
  ResponseObject,
  ResponseShownTool,
  ResponseTool,
  ResponseUsage,
} from '@modelwire/schema/types';

/** The fields of a response that do not depend on its outcome. */
export type ResponseBase = Omit<
  ResponseObject,
  'status' | 'completed_at' | 'error' | 'incomplete_details' | 'output' | 'usage' | 'moderation' | 'service_tier'
>;

export interface ResponseIdentity {
  readonly id: string;
  /** Unix seconds. */
  readonly created_at: number;
}

/** The fields of a response that the request determines, with defaults for those that it omits. */
export function responseBase(
  body: ResponseCreateParams,
  { id, created_at }: ResponseIdentity,
  { tools, store }: { readonly tools: readonly ResponseTool[]; readonly store: boolean },
): ResponseBase {
  const { reasoning, text } = body;
  const conversation = conversationIdOf(body);
  return {
    id,
    object: 'response',
    created_at,
    instructions: body.instructions ?? null,
    model: body.model,
    tools: tools.map(publicTool),
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    top_logprobs: body.top_logprobs ?? 0,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: { ...body.metadata },
    previous_response_id: body.previous_response_id ?? null,
    conversation: conversation === undefined ? null : { id: conversation },
    reasoning: { effort: reasoning?.effort ?? null, summary: summaryOf(body) ?? null },
    text: { format: text?.format ?? { type: 'text' }, ...(text?.verbosity && { verbosity: text.verbosity }) },
    truncation: body.truncation ?? 'disabled',
    store,
    background: body.background ?? false,
    prompt_cache_key: body.prompt_cache_key ?? null,
    prompt_cache_retention: body.prompt_cache_retention ?? null,
    ...(body.prompt_cache_options && { prompt_cache_options: body.prompt_cache_options }),
    safety_identifier: body.safety_identifier ?? null,
    user: body.user ?? null,
  };
}

/** How reasoning is to be summarized; undefined where it is returned as text. */
export function summaryOf({ reasoning }: ResponseCreateParams): string | undefined {
  return reasoning?.summary ?? reasoning?.generate_summary;
}

/** Clients expect the three fields of a function, null where they are not set. */
function publicTool(tool: ResponseTool): ResponseShownTool {
  if (!isFunctionTool(tool)) return tool;
  const { type, name, description = null, parameters = null, strict = null } = tool;
  return { type, name, description, parameters, strict };
}

export function responseUsage(usage: CompletionUsage): ResponseUsage {
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: {
      cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      cache_write_tokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
  };
}
