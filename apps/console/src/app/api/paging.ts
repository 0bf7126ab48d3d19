import type { ListParams } from '@modelwire/client';
import type { InfiniteData } from '@tanstack/react-query';

interface ListPage {
  readonly has_more: boolean;
  readonly last_id?: string | null;
}

/** How an infinite query asks for the pages of a list of the API: its parameter is the `after` of a page. */
export const pages = {
  initialPageParam: undefined as ListParams['after'],
  getNextPageParam: ({ has_more, last_id }: ListPage): string | undefined =>
    has_more ? (last_id ?? undefined) : undefined,
};

/** Unwraps a list to a plain promise of one page. */
export const onePage = async <Page>(page: PromiseLike<Page>): Promise<Page> => page;

interface Polled<Data> {
  readonly state: { readonly data: Data | undefined };
}

/** The interval at which a list is polled: only while one of its entries changes and only the first page is shown. */
export function whileListChanges<Entry>(isChanging: (entry: Entry) => boolean, ms: number) {
  return ({ state: { data } }: Polled<InfiniteData<{ readonly data: readonly Entry[] }>>): number | false =>
    data?.pages.length === 1 && data.pages[0]?.data.some(isChanging) === true ? ms : false;
}

/** The interval at which an entry is polled while it changes. */
export function whileEntryChanges<Entry>(isChanging: (entry: Entry) => boolean, ms: number) {
  return ({ state: { data } }: Polled<Entry>): number | false => (data !== undefined && isChanging(data) ? ms : false);
}
