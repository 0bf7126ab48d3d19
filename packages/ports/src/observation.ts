/** An operation that is being observed. */
export interface Observation<Outcome> {
  /** Called once, when the operation has ended. */
  end(outcome: Outcome): void;
}

/** The outcome of an operation that can fail. */
export interface OperationOutcome {
  /** The error, including that of a disconnected client; undefined on success. */
  readonly error?: unknown;
}

/** Observes requests to upstreams. */
export interface UpstreamObserver {
  /** A request is about to be sent to an upstream. Each retry is another attempt. */
  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation;
}

export interface ObservedAttempt {
  readonly upstream: string;
  /** Name of the model at the upstream; undefined where it is not known. */
  readonly model: string | undefined;
  readonly method: string;
  readonly origin: string;
  /** Without its query. */
  readonly path: string;
  /** 1 for the first. */
  readonly number: number;
}

export interface AttemptObservation extends Observation<AttemptOutcome> {
  /** Trace context headers to send to the upstream. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AttemptOutcome {
  /** Undefined without a reply. */
  readonly status?: number | undefined;
  /** Why it failed, such as `ECONNREFUSED`, `connect timeout` or `status 503`: never an address or text of the upstream. */
  readonly failure?: string | undefined;
  /** This server aborted it, for instance because the client disconnected. */
  readonly aborted?: boolean | undefined;
}
