import type { BudgetPeriod, BudgetUnit } from '@modelwire/ports';
import type { Model, ModelCapabilities } from '@modelwire/schema/types';
import type { FailedRequest } from '../limits/recent-errors.ts';
import type { ConsoleStatus, EngineStats } from '../options/types.ts';

/** The reply of `GET /console/api/status`. */
export interface ServerStatus extends ConsoleStatus {
  readonly version: string;
  /** Number of requests that have not ended, including streams. */
  readonly in_flight: number;
  readonly models: readonly ModelStatus[];
  readonly engines: readonly EngineStats[];
}

export interface ModelStatus extends Readonly<Pick<Model, 'id' | 'created' | 'owned_by'>> {
  readonly kinds: readonly string[];
  /** Name of the engine that serves it, such as `upstream` or `simulator`. */
  readonly engine: string;
  /** Other names that requests may use for it. */
  readonly aliases: readonly string[];
  /** Capabilities of a chat model; null for other models. */
  readonly capabilities: ModelCapabilities | null;
}

/** The reply of `GET /console/api/names`. */
export interface NameList {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** `hint` has the first characters of the secret, `project` is the ID of a project. */
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly hint: string;
    readonly project: string;
  }[];
  /** `subject` is the ID of a project or a key. */
  readonly budgets: readonly {
    readonly id: string;
    readonly subject: string;
    readonly unit: BudgetUnit;
    readonly period: BudgetPeriod;
  }[];
  readonly webhooks: readonly { readonly id: string; readonly name: string }[];
}

/** The reply of `GET /console/api/people`. */
export interface PersonList {
  readonly people: readonly { readonly id: string; readonly name: string }[];
}

/** The reply of `GET /console/api/usage`. */
export interface UsageReport {
  /** Currency of the price table in lower case; null if there is no price table. */
  readonly currency: string | null;
  /** Every day, oldest first, including days without requests. `date` is `YYYY-MM-DD`, UTC. */
  readonly days: readonly (UsageSums & { readonly date: string })[];
  readonly total: UsageSums;
  readonly by_project: readonly UsageGroup[];
  readonly by_key: readonly UsageGroup[];
  readonly by_model: readonly UsageGroup[];
}

/** The sums of a project, a key or a model. */
export interface UsageGroup extends UsageSums {
  readonly id: string;
}

export interface UsageSums {
  /** Requests that ended, successful or not. */
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** In units of the currency, by the price table at the time of the requests. */
  readonly cost: number;
  /** To the end of the stream. Null if there are no requests. */
  readonly duration_ms: Percentiles | null;
  /** Null if no request had a token. */
  readonly first_token_ms: Percentiles | null;
}

/** The reply of `GET /console/api/activity`: what the server did in the last hours. */
export interface ActivityReport {
  /** Currency of the price table in lower case; null if there is no price table. */
  readonly currency: string | null;
  readonly step_seconds: number;
  /** Every step, oldest first, including those without requests. `start` is in Unix seconds. */
  readonly steps: readonly (UsageSums & { readonly start: number })[];
  readonly total: UsageSums;
}

/** In milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The reply of `GET /console/api/errors`, newest first. */
export interface RecentErrorList {
  readonly errors: readonly FailedRequestEntry[];
}

/** The metadata of stored completions. */
export interface MetadataKeyList {
  readonly keys: readonly { readonly key: string; readonly values: readonly string[] }[];
}

interface FailedRequestEntry extends Omit<FailedRequest, 'requestId' | 'keyId' | 'upstreamFailure' | 'batch'> {
  readonly request_id: string;
  readonly key: string;
  readonly upstream_failure: string | null;
  readonly batch: string | null;
}
