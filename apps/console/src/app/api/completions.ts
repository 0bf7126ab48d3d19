import type { LoggedRequest, StoredChatCompletion } from '@modelwire/client';
import type { MetadataKeyList } from '@modelwire/server/internal';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, consoleApi } from './client.ts';
import { parseMetadataFilter } from './metadata-filter.ts';
import { readMergedPage } from './merged-pages.ts';
import type { Cursors, MergedPage, ReadPage } from './merged-pages.ts';
import { fetchPage, cursorPagination } from './paging.ts';
import { isPermitted } from './permissions.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';
import type { Session } from './session.ts';

/** Filters of the list of completions, as the URL contains them. */
export interface CompletionFilters {
  /** ID of the project, `*` for all; empty for that of the session. */
  readonly project: string;
  /** Words of the prompt, the reply or its tool calls. */
  readonly search: string;
  readonly model: string;
  /** ID of the key. */
  readonly key: string;
  /** See `CompletionRow`; or `not_stored`. */
  readonly status: string;
  /** See `parseMetadataFilter`. */
  readonly metadata: string;
  /** Unix seconds, inclusive; 0 if there is no limit. */
  readonly start_time: number;
  /** Unix seconds, exclusive; 0 if there is no limit. */
  readonly end_time: number;
  readonly order: 'asc' | 'desc';
}

/** A row of the list of completions: a stored completion, without its messages, or a request of the request log. */
export interface CompletionRow {
  readonly id: string;
  /** Whether it is a stored completion. */
  readonly isStored: boolean;
  /** ID of the project. */
  readonly project: string;
  readonly created: number;
  readonly model: string;
  /** The start of the last message of the user; the endpoint of a request that is not stored. */
  readonly prompt: string;
  /** The start of the reply, or of its first tool call; the error of a request that is not stored. */
  readonly reply: string;
  readonly keyId: string;
  /** The `finish_reason` of the first choice, or the outcome of a request that is not stored. */
  readonly status: string;
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

/** Filters by outcome, which only requests of the request log have. */
const outcomes = ['failed', 'aborted'] as const;

/** The `project` of a filter that selects the completions of all projects. */
export const allProjects = '*';

export function completionsQuery(filters: CompletionFilters, session: Session) {
  const { search, status, metadata, order } = filters;
  const hasRequests = isPermitted(session, 'operate');
  const project = filters.project || session.project;
  const isOfRequests = status === 'not_stored' || outcomes.some((outcome) => outcome === status);
  // Requests of the request log have no content.
  const hasContent = search !== '' || metadata !== '' || (status !== '' && !isOfRequests);
  return infiniteQueryOptions({
    queryKey: ['completions', filters],
    initialPageParam: [] as Cursors,
    getNextPageParam: ({ has_more, cursors }: MergedPage<CompletionRow>) => (has_more ? cursors : undefined),
    queryFn: ({ pageParam: cursors, signal }) => {
      const lists = [
        ...(isOfRequests ? [] : [readCompletions(filters, project, signal)]),
        ...(hasRequests && !hasContent ? [readRequests(filters, project, signal)] : []),
      ];
      return readMergedPage(lists, cursors, order);
    },
    // Comparing thousands of rows with each page that arrives costs more than rendering the visible ones.
    structuralSharing: false,
  });
}

function readCompletions(filters: CompletionFilters, project: string, signal: AbortSignal): ReadPage<CompletionRow> {
  const { search, model, key, status, metadata } = filters;
  const pairs = parseMetadataFilter(metadata);
  return async (after) => {
    const page = await api.chat.completions.list(
      {
        ...pageParams(filters, after),
        view: 'summary',
        project_id: project,
        ...(search !== '' && { search }),
        ...(model !== '' && { model }),
        ...(key !== '' && { api_key_id: key }),
        ...(status !== '' && { finish_reason: status }),
        ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
      },
      { signal },
    );
    return { has_more: page.has_more, data: page.data.map((completion) => toCompletionRow(completion, project)) };
  };
}

function readRequests(filters: CompletionFilters, project: string, signal: AbortSignal): ReadPage<CompletionRow> {
  const { model, key, status } = filters;
  const named = outcomes.filter((outcome) => outcome === status);
  return async (after) => {
    const page = await api.organization.requestLogs.list(
      {
        ...pageParams(filters, after),
        ...(project !== allProjects && { project_ids: [project] }),
        ...(model !== '' && { models: [model] }),
        ...(key !== '' && { api_key_ids: [key] }),
        ...(named.length > 0 && { outcomes: named }),
      },
      { signal },
    );
    return { has_more: page.has_more, data: page.data.map(toRequestRow) };
  };
}

function pageParams({ start_time, end_time, order }: CompletionFilters, after: string | undefined) {
  return {
    limit: pageSize,
    order,
    after,
    ...(start_time > 0 && { start_time }),
    ...(end_time > 0 && { end_time }),
  };
}

/** @param project Whose completions are listed. */
function toCompletionRow(completion: StoredChatCompletion, project: string): CompletionRow {
  const { id, created, model, usage, metadata, cost } = completion;
  return {
    id,
    isStored: true,
    project: completion.project_id ?? project,
    created,
    model,
    prompt: completion.prompt_excerpt ?? '',
    reply: completion.excerpt ?? '',
    keyId: completion.api_key_id ?? '',
    status: completion.finish_reason ?? '',
    durationMs: completion.duration_ms ?? null,
    firstTokenMs: completion.first_token_ms ?? null,
    cost,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    metadata: metadata ?? {},
  };
}

function toRequestRow(request: LoggedRequest): CompletionRow {
  const { usage } = request;
  return {
    id: request.id,
    isStored: false,
    project: request.project_id,
    created: request.created_at,
    model: request.model ?? '',
    prompt: request.endpoint,
    reply: request.error_code ?? '',
    keyId: request.api_key_id,
    status: request.outcome,
    durationMs: request.duration_ms,
    firstTokenMs: request.first_token_ms,
    cost: usage === null ? undefined : request.cost,
    cachedTokens: usage?.input_cached_tokens,
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    metadata: {},
  };
}

/** The query parameter with which administrators read in all projects. */
export function readableProjects(): { readonly project_id?: string } {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session && isPermitted(session, 'operate') ? { project_id: allProjects } : {};
}

/** A stored completion with all parameters of its request. */
export async function retrieveWithParameters(id: string, signal?: AbortSignal): Promise<StoredChatCompletion> {
  return api.chat.completions.retrieve(id, {
    signal,
    query: { ...readableProjects(), include: ['request_parameters'] },
  });
}

/** The keys and values of the metadata of a project, or of all. */
export function metadataKeysQuery(project: string) {
  return queryOptions({
    queryKey: ['completions', 'metadata', project],
    queryFn: async ({ signal }) => {
      const request = { method: 'GET', path: '/metadata' } as const;
      return (await consoleApi.request<MetadataKeyList>(request, { signal, query: { project_id: project } })).keys;
    },
    staleTime: 10_000,
  });
}

/** A stored completion, or a request of the request log. */
export type CompletionEntry = StoredChatCompletion | LoggedRequest;

export function isLoggedRequest(entry: CompletionEntry): entry is LoggedRequest {
  return entry.object === 'organization.request_log';
}

export function completionQuery(id: string) {
  return queryOptions({
    queryKey: ['completion', id],
    queryFn: ({ signal }): Promise<CompletionEntry> =>
      id.startsWith('req_')
        ? fetchPage(api.organization.requestLogs.retrieve(id, { signal }))
        : retrieveWithParameters(id, signal),
  });
}

export function messagesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['completion', id, 'messages'],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(api.chat.completions.messages.list(id, { ...readableProjects(), limit: 50, after }, { signal })),
  });
}
