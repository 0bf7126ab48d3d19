/** Selects a page of a list. */
export interface PageQuery {
  /** ID of the last item of the previous page. The position of a removed item is kept for a day, so that the list resumes there. */
  readonly after?: string | undefined;
  /** At least 1. */
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether more items follow the last one. */
  readonly hasMore: boolean;
}
