import type { ReportBucket, ReportPage } from './report.ts';
import type { UsageParams } from './requests.ts';

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
export type UsageBucket = ReportBucket<UsageResult>;

export type UsagePage = ReportPage<UsageResult>;

export type UsageGrouping = NonNullable<UsageParams['group_by']>[number];
