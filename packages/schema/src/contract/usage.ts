import { retrieveUsage } from '../routes.ts';
import { usagePageSchema, usageQuerySchema } from '../usage.ts';
import { endpoint } from './endpoint.ts';

export const usageEndpoints = {
  'usage.completions': endpoint('usage.completions', {
    route: retrieveUsage,
    summary: 'Read what was used, by day. For operators.',
    section: 'companion',
    query: usageQuerySchema,
    response: usagePageSchema,
  }),
};
