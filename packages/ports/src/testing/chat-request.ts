import type { ChatRequest } from '../chat-engine.ts';

/** A request with the interface's defaults, as the server passes it to an engine. */
export function chatRequest(overrides: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    n: 1,
    stop: [],
    max_completion_tokens: undefined,
    temperature: 1,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    logprobs: false,
    top_logprobs: 0,
    seed: undefined,
    reasoning_effort: undefined,
    verbosity: 'medium',
    service_tier: 'auto',
    tools: [],
    tool_choice: 'none',
    parallel_tool_calls: true,
    response_format: { type: 'text' },
    prediction: undefined,
    prompt_cache_key: undefined,
    prompt_cache_retention: undefined,
    ...overrides,
  };
}
