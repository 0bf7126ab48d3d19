/** How sure it is that a failed check is the server's fault: the document says so; official SDKs rely on it; we think so. */
export type Certainty = 'sure' | 'likely' | 'opinion';

export type Outcome = 'pass' | 'fail' | 'skipped' | 'error';

/** A request as it was sent, without secrets, cut where it is long. */
export interface Sent {
  readonly method: string;
  /** Relative to the base URL, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came, without secrets, cut where it is long. */
export interface Came {
  readonly status: number;
  readonly contentType: string | null;
  readonly requestId: string | null;
  readonly body: string;
}

export interface CheckResult {
  /** `<endpoint>/<name>`, stable from run to run. */
  readonly id: string;
  readonly endpoint: string;
  /** What must hold, as a sentence. */
  readonly title: string;
  /** Section of the interface document; `companion` for what it does not show. */
  readonly section: string;
  /** Points that a pass is worth, before `certainty` scales them. */
  readonly weight: number;
  readonly certainty: Certainty;
  readonly outcome: Outcome;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it failed, was skipped or could not be decided; of a pass, what is worth saying. */
  readonly why?: string;
  /** What was sent. The last three are there where it failed. */
  readonly sent?: Sent;
  readonly came?: Came;
  /** What the interface says. */
  readonly says?: string;
  /** How to mend it, where that is evident. */
  readonly mend?: string;
}

export interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly skipped: number;
  readonly error: number;
}

export interface EndpointScore {
  readonly id: string;
  /** `POST /chat/completions`; empty for what holds of all endpoints. */
  readonly route: string;
  readonly section: string;
  /** `undefined` where it could not be found out. */
  readonly served: boolean | undefined;
  /** Share of its points that were won, 0 to 100 with one decimal, rounded down; null where nothing was decided. */
  readonly score: number | null;
  /** What it counts in the whole; 0 for endpoints that only some servers have. */
  readonly weight: number;
  readonly counts: Counts;
}

/** What a run found, as plain data that survives JSON. */
export interface ConformanceReport {
  readonly kind: 'modelwire.conformance';
  readonly version: 1;
  readonly baseURL: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** False when the run was aborted, or its time was up before every check had run. */
  readonly complete: boolean;
  readonly only: readonly string[];
  readonly destructive: boolean;
  readonly models: { readonly chat?: string; readonly moderation?: string; readonly video?: string };
  readonly score: {
    /** Of all endpoints, those not served counting 0. Null where nothing was decided. */
    readonly all: number | null;
    /** Of those that are served. */
    readonly served: number | null;
    /** Of those that are served, by what the document says alone. */
    readonly sure: number | null;
  };
  readonly counts: Counts;
  readonly endpoints: readonly EndpointScore[];
  readonly results: readonly CheckResult[];
  /** What is worth knowing of the run as a whole. */
  readonly notes: readonly string[];
  /** What the run made and could not remove. */
  readonly left: readonly string[];
}
