export type SortOrder = 'asc' | 'desc';

/** One page of a list. */
export interface List<T> {
  object: 'list';
  data: T[];
  /** ID of the first item of `data`; null when the page is empty. */
  first_id?: string | null;
  /** ID of the last item of `data`: the `after` of the next page; null when the page is empty. */
  last_id?: string | null;
  has_more: boolean;
}

/** The query of every list that is read by pages. */
export interface ListParams {
  /** ID of the last item of the previous page, also one that was deleted within the last day. */
  readonly after?: string;
  /** Items of a page, 1 to 100; 20 unless said. */
  readonly limit?: number;
}

export interface OrderedListParams extends ListParams {
  /** By timestamp. */
  readonly order?: SortOrder;
}
