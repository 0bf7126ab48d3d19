import type { ListParams } from '@modelwire/client';
import type { InfiniteData } from '@tanstack/react-query';

interface ListPage {
  readonly has_more: boolean;
  readonly last_id?: string | null;
}

/** The options with which an infinite query requests the pages of an API list. The page parameter is the cursor `after`. */
export const cursorPagination = {
  initialPageParam: undefined as ListParams['after'],
  getNextPageParam: ({ has_more, last_id }: ListPage): string | undefined =>
    has_more ? (last_id ?? undefined) : undefined,
};

/** Resolves to one page of a list, without iterating over the pages that follow. */
export const fetchPage = async <Page>(page: PromiseLike<Page>): Promise<Page> => page;

interface PolledQuery<Data> {
  readonly state: { readonly data: Data | undefined };
}

/** A polling interval that applies while an entry of the list is changing and only the first page is loaded. */
export function pollListWhile<Entry>(isChanging: (entry: Entry) => boolean, intervalMs: number) {
  return ({ state: { data } }: PolledQuery<InfiniteData<{ readonly data: readonly Entry[] }>>): number | false =>
    data?.pages.length === 1 && data.pages[0]?.data.some(isChanging) === true ? intervalMs : false;
}

/** A polling interval that applies while the entry is changing. */
export function pollEntryWhile<Entry>(isChanging: (entry: Entry) => boolean, intervalMs: number) {
  return ({ state: { data } }: PolledQuery<Entry>): number | false =>
    data !== undefined && isChanging(data) ? intervalMs : false;
}
