import * as z from 'zod';
import { constant, requestObject } from './field.ts';

export const promptCacheOptionsSchema = requestObject('PromptCacheOptions', 'How the prompt is cached.', {
  mode: z.enum(['implicit', 'explicit']).optional().meta({
    description: '`explicit`: only up to breakpoints in the messages; without one, no cache is used.',
    default: 'implicit',
  }),
  ttl: z.literal('30m').optional().describe('The shortest time for which the prompt is kept.'),
});

const breakpointSchema = requestObject('PromptCacheBreakpoint', 'The end of what later requests begin with.', {
  mode: constant('explicit'),
  ttl: z.enum(['30m', '12h']).optional().describe('The shortest time for which the prompt is kept up to here.'),
});

/** The field of a part of a prompt at whose end a breakpoint is. */
export const promptCacheBreakpoint = { prompt_cache_breakpoint: breakpointSchema.optional() };
