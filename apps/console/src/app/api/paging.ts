import type { ListParams } from '@modelwire/client';

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
