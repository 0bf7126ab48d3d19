import { chatRequestDefaults } from '../chat-request.ts';
import type { ChatRequest } from '../chat-request.ts';

/** A request with the API's defaults, as the server passes it to an engine. */
export function chatRequest(overrides: Partial<ChatRequest> = {}): ChatRequest {
  return { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...chatRequestDefaults, ...overrides };
}
