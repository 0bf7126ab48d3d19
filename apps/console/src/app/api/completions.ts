import type { StoredChatCompletion } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { onePage, pages } from './paging.ts';

/** Filters of the list of stored completions, as they are in the address. */
export interface CompletionFilters {
  readonly model: string;
  /** `key=value`, separated by commas. */
  readonly metadata: string;
  /** Unix seconds, inclusive; 0 without a limit. */
  readonly start_time: number;
  /** Unix seconds, exclusive; 0 without a limit. */
  readonly end_time: number;
  readonly order: 'asc' | 'desc';
}

/** What the list shows of a completion. The server sends no messages for it. */
export interface CompletionRow {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly excerpt: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

const pageSize = 50;

/** Metadata pairs of a filter such as `team=search, run=7`. */
export function parseMetadataFilter(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair): [key: string, value: string] => {
    const at = pair.indexOf('=');
    return at < 0 ? ['', ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}

export function completionsQuery({ model, metadata, start_time, end_time, order }: CompletionFilters) {
  return infiniteQueryOptions({
    queryKey: ['completions', { model, metadata, start_time, end_time, order }],
    ...pages,
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
          ...(model !== '' && { model }),
          ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
        },
        { signal },
      );
      return { has_more: page.has_more, last_id: page.last_id, data: page.data.map(rowOf) };
    },
    // Comparing thousands of rows with each page that arrives costs more than rendering the visible ones.
    structuralSharing: false,
  });
}

function rowOf({ id, created, model, excerpt, usage, metadata }: StoredChatCompletion): CompletionRow {
  return {
    id,
    created,
    model,
    excerpt: excerpt ?? '',
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
    ...pages,
    queryFn: ({ pageParam: after, signal }) =>
      onePage(api.chat.completions.messages.list(id, { limit: 50, after }, { signal })),
  });
}
