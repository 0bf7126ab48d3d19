export type UsageGrouping = 'project_id' | 'api_key_id' | 'model';

/** Query of the operator's usage report. Times are Unix seconds. */
export interface UsageParams {
  readonly start_time: number;
  readonly end_time?: number;
  readonly bucket_width?: '1d';
  readonly project_ids?: readonly string[];
  readonly api_key_ids?: readonly string[];
  readonly models?: readonly string[];
  readonly group_by?: readonly UsageGrouping[];
  /** Days of a page, 1 to 31; 7 unless said. */
  readonly limit?: number;
  readonly page?: string;
}

export interface UsageResult {
  object: 'organization.usage.completions.result';
  num_model_requests: number;
  input_tokens: number;
  output_tokens: number;
  input_cached_tokens?: number;
  /** Null unless grouped by it, as the other two. */
  project_id?: string | null;
  api_key_id?: string | null;
  model?: string | null;
}

/** One day. */
export interface UsageBucket {
  object: 'bucket';
  start_time: number;
  end_time: number;
  results: UsageResult[];
}

export interface UsagePage {
  object: 'page';
  data: UsageBucket[];
  has_more: boolean;
  next_page: string | null;
}
