/** A page of a report by day, with one result for each group. */
export interface ReportPage<Result> {
  readonly object: 'page';
  /** One entry for each day. */
  readonly data: readonly ReportBucket<Result>[];
  readonly has_more: boolean;
  readonly next_page: string | null;
}

/** One day. */
export interface ReportBucket<Result> {
  readonly object: 'bucket';
  readonly start_time: number;
  readonly end_time: number;
  /** One entry for each group; one in all without `group_by`. */
  readonly results: readonly Result[];
}
