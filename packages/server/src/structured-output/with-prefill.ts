import type { ChatRequest } from '@modelwire/ports';

/** The request, for an engine that continues the text (`assistant_prefill`). */
export function withPrefill(request: ChatRequest, text: string): ChatRequest {
  const start = { role: 'assistant', content: text } as const;
  return { ...request, messages: [...request.messages, start], continue_final_message: true };
}
