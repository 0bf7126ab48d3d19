import type { BatchEndpoint } from '@modelwire/client';

/** The endpoints whose requests a batch can run. */
export const endpoints: readonly BatchEndpoint[] = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
];
