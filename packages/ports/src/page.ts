/** Which page of a list. */
export interface PageQuery {
  /** Id of the last item of the page before. One that has been removed since is known for a day: the list goes on where it was. */
  readonly after?: string | undefined;
  /** At least 1. */
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether there are more behind the last one. */
  readonly hasMore: boolean;
}
