import type { BatchEndpoint } from '@modelwire/schema/types';

/** What a line may ask for, where this server serves it: endpoints that take JSON and answer with JSON, at once. */
export const batchableEndpoints = [
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
] as const satisfies readonly BatchEndpoint[];

/** What the body of each line needs to have, where no default stands in: without it the batch fails before it begins. */
export function requiredParameters(endpoint: string, defaultModel: string | undefined): readonly string[] {
  switch (endpoint) {
    case '/v1/chat/completions':
      return defaultModel === undefined ? ['model', 'messages'] : ['messages'];
    case '/v1/responses':
      // The input may be left out where a stored response is continued.
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
