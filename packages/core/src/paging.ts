import type { ApiResult } from './transport/call.ts';
import type { RequestOptions } from './transport/options.ts';
import type { ApiPromise, Transport } from './transport/transport.ts';
import type { Route } from './transport/url.ts';

/** The response of every list endpoint (API: Chat completion list object); a list without pages has no `has_more`. */
export interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more?: boolean | undefined;
  readonly last_id?: string | null | undefined;
}

/**
 * A list: `await` returns its first page, `for await` iterates all items, `pages()` all pages. Each page is requested when the loop
 * reaches it, and the first one when the list is first used.
 */
export interface Paged<P extends Page> extends Promise<P>, AsyncIterable<P['data'][number], void, undefined> {
  pages(): AsyncIterable<P, void, undefined>;
  /** The first page with its response, request ID and attempts. */
  withResponse(): Promise<ApiResult<P>>;
}

/**
 * Iterates the pages of a list. `fetchPage` receives the ID of the last item of the previous page, at first `after`. The list ends
 * with `has_more: false`, and at a page whose last ID was seen before.
 */
export function paginate<P extends Page>(
  fetchPage: (after: string | undefined) => ApiPromise<P>,
  after?: string,
): Paged<P> {
  let first: ApiPromise<P> | undefined;
  const firstPage = (): ApiPromise<P> => (first ??= fetchPage(after));

  async function* pages(): AsyncGenerator<P, void, undefined> {
    const seen = new Set([after]);
    for (let page = await firstPage(); ;) {
      yield page;
      const last = page.last_id ?? page.data.at(-1)?.id;
      if (page.has_more !== true || last === undefined || seen.has(last)) return;
      seen.add(last);
      page = await fetchPage(last);
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
    withResponse: () => firstPage().withResponse(),
    then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
    catch: (onRejected) => firstPage().catch(onRejected),
    finally: (onFinally) => firstPage().finally(onFinally),
    [Symbol.toStringTag]: 'Promise',
  };
}

/** The pages of a list endpoint, from the cursor `after` of the query on. */
export function listPages<P extends Page>(
  transport: Transport,
  route: Route,
  query: { readonly after?: string | undefined } | undefined,
  options?: RequestOptions,
): Paged<P> {
  return paginate((after) => transport.request<P>(route, { ...options, query: { ...query, after } }), query?.after);
}
