/** A page of a report by day, with one result for each group. */
export interface ReportPage<Result> {
  object: 'page';
  data: ReportBucket<Result>[];
  has_more: boolean;
  next_page: string | null;
}

/** One day. */
export interface ReportBucket<Result> {
  object: 'bucket';
  start_time: number;
  end_time: number;
  results: Result[];
}
