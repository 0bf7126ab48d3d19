import { NotFoundError } from '@modelwire/client';
import type { AuditLogParams, BudgetListParams, WebhookDeliveryListParams } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { fetchPage, cursorPagination } from './paging.ts';

const { projects, budgets, auditLogs, webhooks } = api.organization;

export function projectsQuery({ archived = false } = {}) {
  return infiniteQueryOptions({
    queryKey: ['projects', { archived }],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(projects.list({ limit: 100, after, include_archived: archived ? 'true' : 'false' }, { signal })),
  });
}

/** A project with its used storage. */
export function projectQuery(id: string) {
  return queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }) => projects.retrieve(id, { signal }),
    enabled: id !== '',
  });
}

export function keysQuery(project: string) {
  return infiniteQueryOptions({
    queryKey: ['keys', project],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(projects.apiKeys.list(project, { limit: 50, after }, { signal })),
    // `last_used_at` changes while the page is open.
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? 10_000 : false),
    enabled: project !== '',
  });
}

/** The keys of any projects that still exist, in one page. */
export function foundKeysQuery(found: readonly { readonly id: string; readonly project: string }[]) {
  return infiniteQueryOptions({
    queryKey: ['keys', 'found', found.map(({ id }) => id)],
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    queryFn: async ({ signal }) => {
      const keys = await Promise.all(
        found.map(({ id, project }) =>
          fetchPage(projects.apiKeys.retrieve(id, { project_id: project }, { signal })).catch((error: unknown) => {
            if (!(error instanceof NotFoundError)) throw error;
            return undefined;
          }),
        ),
      );
      return { data: keys.filter((key) => key !== undefined) };
    },
  });
}

export function budgetsQuery(filters: BudgetListParams) {
  return queryOptions({
    queryKey: ['budgets', filters],
    queryFn: ({ signal }) => fetchPage(budgets.list(filters, { signal })),
    refetchInterval: 10_000,
  });
}

export function auditLogQuery(filters: Omit<AuditLogParams, 'after' | 'limit'>) {
  return infiniteQueryOptions({
    queryKey: ['audit', filters],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) => fetchPage(auditLogs.list({ ...filters, limit: 50, after }, { signal })),
  });
}

export const webhooksQuery = infiniteQueryOptions({
  queryKey: ['webhooks'],
  ...cursorPagination,
  queryFn: ({ pageParam: after, signal }) => fetchPage(webhooks.list({ limit: 50, after }, { signal })),
});

export function webhookQuery(id: string) {
  return queryOptions({ queryKey: ['webhook', id], queryFn: ({ signal }) => webhooks.retrieve(id, { signal }) });
}

/** The deliveries of a webhook, newest first. Polled while only one page is loaded. */
export function webhookDeliveriesQuery(id: string, status: NonNullable<WebhookDeliveryListParams['status']> | '') {
  return infiniteQueryOptions({
    queryKey: ['webhook', id, 'deliveries', { status }],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(webhooks.deliveries.list(id, { limit: 50, after, ...(status !== '' && { status }) }, { signal })),
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? 3_000 : false),
  });
}
