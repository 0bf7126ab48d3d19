import type { BatchEndpoint } from '@modelwire/schema/types';

/** Endpoints that batch lines can use if this server serves them: those with JSON bodies and complete JSON responses. */
export const batchableEndpoints = [
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
] as const satisfies readonly BatchEndpoint[];

/** Parameters without a default that the body of each line must have: without them the batch fails validation. */
export function requiredParameters(endpoint: string, defaultModel: string | undefined): readonly string[] {
  switch (endpoint) {
    case '/v1/chat/completions':
      return defaultModel === undefined ? ['model', 'messages'] : ['messages'];
    case '/v1/responses':
      // The input can be omitted when a stored response is continued.
      return defaultModel === undefined ? ['model'] : [];
    case '/v1/moderations':
      return ['input'];
    case '/v1/completions':
      return defaultModel === undefined ? ['model', 'prompt'] : ['prompt'];
    case '/v1/embeddings':
      return ['model', 'input'];
    default:
      return ['model'];
  }
}
