/** One page of a list. */
export interface List<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  /** ID of the first item of `data`. Null for an empty page. */
  readonly first_id?: string | null;
  /** ID of the last item of `data`: the `after` of the next page. Null for an empty page. */
  readonly last_id?: string | null;
  /** Whether there is a next page. */
  readonly has_more: boolean;
}
