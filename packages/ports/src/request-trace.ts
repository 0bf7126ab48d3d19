/** The trace of the request that created a job. Runs of the job continue it. */
export interface RequestTrace {
  /** Trace context headers of the request. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
  /** Trace ID of the log line of the request. */
  readonly traceId?: string | undefined;
}
