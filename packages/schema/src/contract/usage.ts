import { retrieveUsage } from '../routes.ts';
import { usagePageSchema, usageQuerySchema } from '../usage.ts';
import { endpoint } from './endpoint.ts';

export const usageEndpoints = {
  'usage.completions': endpoint('usage.completions', {
    route: retrieveUsage,
    summary: 'Report requests and tokens by day. Needs a key with the role `admin`.',
    section: 'companion',
    query: usageQuerySchema,
    response: usagePageSchema,
  }),
};
