import type { BatchEndpoint } from '@modelwire/schema/types';

/** Endpoints that batch lines can use if this server serves them: those with JSON bodies and complete JSON responses. */
export const batchableEndpoints = [
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
] as const satisfies readonly BatchEndpoint[];
