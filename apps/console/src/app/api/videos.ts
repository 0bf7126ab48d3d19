import type { Video, VideoSeconds } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiBaseURL } from './urls.ts';
import { api } from './client.ts';
import { fetchPage, cursorPagination, pollEntryWhile, pollListWhile } from './paging.ts';

/** Whether a video is still being rendered. */
export function isRendering({ status }: Pick<Video, 'status'>): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** The lengths of the API. */
export const videoLengths: readonly VideoSeconds[] = ['4', '8', '12'];

/** The videos, newest first. Polled while one is rendered and only the first page is shown. */
export const videosQuery = infiniteQueryOptions({
  queryKey: ['videos'],
  ...cursorPagination,
  queryFn: ({ pageParam: after, signal }) => fetchPage(api.videos.list({ limit: 24, after }, { signal })),
  refetchInterval: pollListWhile(isRendering, 2_000),
});

export function videoQuery(id: string) {
  return queryOptions({
    queryKey: ['video', id],
    queryFn: ({ signal }) => api.videos.retrieve(id, { signal }),
    refetchInterval: pollEntryWhile(isRendering, 1_500),
  });
}

/** The URL of a completed video or its thumbnail. The session cookie authenticates requests to it. */
export function videoContentURL(id: string, variant: 'video' | 'thumbnail'): string {
  return `${apiBaseURL}/videos/${encodeURIComponent(id)}/content?variant=${variant}`;
}
