import type { CheckSource } from './requirements/find-requirement.ts';

/** How certain a rule is: the API specification states it (`sure`), official SDKs rely on it (`likely`), or we recommend it (`opinion`). */
export type Certainty = 'sure' | 'likely' | 'opinion';

export type Outcome = 'pass' | 'fail' | 'skipped' | 'error';

/** The request, without secrets and truncated. */
export interface SentRequest {
  readonly method: string;
  /** Relative to the base URL, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response, without secrets and truncated. */
export interface ReceivedResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly requestId: string | null;
  readonly body: string;
}

export interface CheckResult extends CheckSource {
  /** `<endpoint>/<name>`, stable from run to run. */
  readonly id: string;
  readonly endpoint: string;
  /** The rule as a sentence. */
  readonly title: string;
  /** Section of the API specification; `companion` for what it does not show. */
  readonly section: string;
  /** Points of a pass, before they are scaled by `certainty`. */
  readonly weight: number;
  readonly certainty: Certainty;
  readonly outcome: Outcome;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it failed, was skipped or ended with an error; an optional remark if it passed. */
  readonly reason?: string;
  /** The request. The following fields are set for failures. */
  readonly sent?: SentRequest;
  readonly response?: ReceivedResponse;
  /** The rule of the API. */
  readonly expectation?: string;
  /** How to fix it, where known. */
  readonly fix?: string;
  /** Set if the check is one of the expected failures: the reason, or an empty string. */
  readonly expectedFailure?: string;
}

export interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly skipped: number;
  readonly error: number;
}

/** Results that differ from the expected failures, as IDs of checks. */
export interface UnexpectedResults {
  /** Failed, or without a result, and not expected to. */
  readonly failures: readonly string[];
  /** Passed, although expected to fail. */
  readonly passes: readonly string[];
}

export interface EndpointScore {
  readonly id: string;
  /** `POST /chat/completions`; empty for checks of all endpoints. */
  readonly route: string;
  readonly section: string;
  /** `undefined` if unknown. */
  readonly served: boolean | undefined;
  /** Percentage of points, 0 to 100 with one decimal, rounded down; null without results. */
  readonly score: number | null;
  /** Its weight in the total score; 0 for optional endpoints. */
  readonly weight: number;
  readonly counts: Counts;
}

/** The result of a run, as plain JSON data. */
export interface ConformanceReport {
  readonly kind: 'modelwire.conformance';
  readonly version: 1;
  readonly baseURL: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** False when the run was aborted or exceeded its time budget. */
  readonly complete: boolean;
  readonly only: readonly string[];
  /** `latest`, or the month of the specification. */
  readonly spec: string;
  readonly quick: boolean;
  /** The part of the checks, such as `2/4`; `1/1` for all. */
  readonly shard: string;
  readonly destructive: boolean;
  readonly models: { readonly chat?: string; readonly moderation?: string; readonly video?: string };
  readonly score: {
    /** Of all endpoints; endpoints that are not served count 0. Null without results. */
    readonly all: number | null;
    /** Of served endpoints. */
    readonly served: number | null;
    /** Of served endpoints, by rules of the API specification only. */
    readonly sure: number | null;
  };
  readonly counts: Counts;
  /** Results that differ from the expected failures; without any expected, all failures. */
  readonly unexpected: UnexpectedResults;
  readonly endpoints: readonly EndpointScore[];
  readonly results: readonly CheckResult[];
  /** Remarks about the run. */
  readonly notes: readonly string[];
  /** Objects that the run created and could not delete. */
  readonly notDeleted: readonly string[];
}
