import type { StoredChatCompletion } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { parseMetadataFilter } from './metadata-filter.ts';
import { fetchPage, cursorPagination } from './paging.ts';

/** Filters of the list of stored completions, as the URL contains them. */
export interface CompletionFilters {
  /** Words of the prompt, the reply or its tool calls. */
  readonly search: string;
  readonly model: string;
  /** ID of the key. */
  readonly key: string;
  /** The `finish_reason` of the first choice. */
  readonly status: string;
  /** See `parseMetadataFilter`. */
  readonly metadata: string;
  /** Unix seconds, inclusive; 0 if there is no limit. */
  readonly start_time: number;
  /** Unix seconds, exclusive; 0 if there is no limit. */
  readonly end_time: number;
  readonly order: 'asc' | 'desc';
}

/** A row of the list of completions. The server omits the messages from the list. */
export interface CompletionRow {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** The start of the last message of the user. */
  readonly prompt: string;
  /** The start of the reply, or of its first tool call. */
  readonly reply: string;
  readonly keyId: string;
  readonly finishReason: string;
  readonly durationMs: number | null;
  readonly firstTokenMs: number | null;
  /** Null for a model without a price; undefined if it was not recorded. */
  readonly cost: StoredChatCompletion['cost'];
  readonly cachedTokens: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

const pageSize = 50;

export function completionsQuery(filters: CompletionFilters) {
  const { search, model, key, status, metadata, start_time, end_time, order } = filters;
  return infiniteQueryOptions({
    queryKey: ['completions', filters],
    ...cursorPagination,
    queryFn: async ({ pageParam: after, signal }) => {
      const pairs = parseMetadataFilter(metadata);
      const page = await api.chat.completions.list(
        {
          limit: pageSize,
          view: 'summary',
          order,
          ...(start_time > 0 && { start_time }),
          ...(end_time > 0 && { end_time }),
          after,
          ...(search !== '' && { search }),
          ...(model !== '' && { model }),
          ...(key !== '' && { api_key_id: key }),
          ...(status !== '' && { finish_reason: status }),
          ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
        },
        { signal },
      );
      return { has_more: page.has_more, last_id: page.last_id, data: page.data.map(toCompletionRow) };
    },
    // Comparing thousands of rows with each page that arrives costs more than rendering the visible ones.
    structuralSharing: false,
  });
}

function toCompletionRow(completion: StoredChatCompletion): CompletionRow {
  const { id, created, model, usage, metadata, cost } = completion;
  return {
    id,
    created,
    model,
    prompt: completion.prompt_excerpt ?? '',
    reply: completion.excerpt ?? '',
    keyId: completion.api_key_id ?? '',
    finishReason: completion.finish_reason ?? '',
    durationMs: completion.duration_ms ?? null,
    firstTokenMs: completion.first_token_ms ?? null,
    cost,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    metadata: metadata ?? {},
  };
}

/** A stored completion with all parameters of its request. */
export async function retrieveWithParameters(id: string, signal?: AbortSignal): Promise<StoredChatCompletion> {
  return api.chat.completions.retrieve(id, { signal, query: { include: ['request_parameters'] } });
}

export function completionQuery(id: string) {
  return queryOptions({
    queryKey: ['completion', id],
    queryFn: ({ signal }) => retrieveWithParameters(id, signal),
  });
}

export function messagesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['completion', id, 'messages'],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(api.chat.completions.messages.list(id, { limit: 50, after }, { signal })),
  });
}
