import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiBaseURL } from './urls.ts';
import { api } from './client.ts';
import { fetchPage, cursorPagination } from './paging.ts';

/** Filters of the list of files, as the URL contains them. */
export interface FileFilters {
  readonly purpose: string;
  readonly order: 'asc' | 'desc';
}

export function filesQuery({ purpose, order }: FileFilters) {
  return infiniteQueryOptions({
    queryKey: ['files', { purpose, order }],
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }) =>
      fetchPage(api.files.list({ limit: 50, order, after, ...(purpose !== '' && { purpose }) }, { signal })),
    // Comparing thousands of rows with each page that arrives costs more than rendering the visible ones.
    structuralSharing: false,
  });
}

export function fileQuery(id: string) {
  return queryOptions({ queryKey: ['file', id], queryFn: ({ signal }) => api.files.retrieve(id, { signal }) });
}

/** The first bytes of a file as text. */
export function fileTextQuery(id: string, maxBytes: number) {
  return queryOptions({
    queryKey: ['file', id, 'text', maxBytes],
    queryFn: async ({ signal }) => {
      const response = await api.files.content(id, { signal, range: { start: 0, end: maxBytes } });
      return response.text();
    },
    staleTime: Infinity,
  });
}

/** The URL of a file's content. The session cookie authenticates requests to it, so that a link can download the file. */
export function fileContentURL(id: string): string {
  return `${apiBaseURL}/files/${encodeURIComponent(id)}/content`;
}
