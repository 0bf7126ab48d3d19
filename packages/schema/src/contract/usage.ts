import { retrieveUsage } from '../routes.ts';
import { usagePageSchema, usageQuerySchema } from '../organization/usage.ts';
import { adminEndpoint, endpoints } from './endpoint.ts';

export const usageEndpoints = endpoints(
  {
    'usage.completions': adminEndpoint(retrieveUsage, 'Report requests and tokens by day.', usagePageSchema, {
      query: usageQuerySchema,
    }),
  },
  ['stores'],
);
