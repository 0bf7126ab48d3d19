/** Something that takes time. */
export interface Observation<Outcome> {
  /** Called once, when it has ended. */
  end(outcome: Outcome): void;
}

/** How something ended that can fail. */
export interface Failable {
  /** What it failed with, a disconnected client included; undefined when it succeeded. */
  readonly error?: unknown;
}

/** Observes the requests to upstreams that something leads to. */
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
  /** Headers that connect the upstream's trace with this one. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AttemptOutcome {
  /** Undefined where no reply came. */
  readonly status?: number | undefined;
  /** Why it failed, such as `ECONNREFUSED`, `connect timeout` or `status 503`: never an address or text of the upstream. */
  readonly failure?: string | undefined;
  /** It was ended by this server, for instance because the client disconnected. */
  readonly aborted?: boolean | undefined;
}
