import type { ChatRequest } from '@modelwire/ports';

/** The request, for an engine that continues the text (`assistant_prefill`). */
export function withPrefill(request: ChatRequest, text: string): ChatRequest {
  return { ...request, messages: [...request.messages, { role: 'assistant', content: text }] };
}
