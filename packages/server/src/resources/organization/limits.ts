import type { ProjectUpdateParams } from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { AccessLimits, Page } from '@modelwire/ports';
import { unknownAfter } from '../../http/list.ts';

type LimitParams = Pick<
  ProjectUpdateParams,
  'requests_per_minute' | 'tokens_per_minute' | 'allowed_models' | 'max_output_tokens'
>;

/** The limits that a request sets. */
export function limitsOf(body: LimitParams): Partial<AccessLimits> {
  return {
    ...(body.requests_per_minute !== undefined && { requestsPerMinute: body.requests_per_minute }),
    ...(body.tokens_per_minute !== undefined && { tokensPerMinute: body.tokens_per_minute }),
    ...(body.allowed_models !== undefined && { allowedModels: body.allowed_models }),
    ...(body.max_output_tokens !== undefined && { maxOutputTokens: body.max_output_tokens }),
  };
}

export function wireLimits(limits: AccessLimits) {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    allowed_models: limits.allowedModels === null ? null : [...limits.allowedModels],
    max_output_tokens: limits.maxOutputTokens,
  };
}

/** The page of a short list that is in memory. */
export function pageOf<Item extends { readonly id: string }>(
  all: readonly Item[],
  { after, limit = PAGE_LIMIT_DEFAULT }: { readonly after?: string; readonly limit?: number },
): Page<Item> {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) return unknownAfter(after);
  return { items: all.slice(from, from + limit), hasMore: all.length > from + limit };
}
