/** The reason of a handler's signal: another worker has the job, or this server is stopping. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly code: 'lost' | 'stopping';
  /** Milliseconds in which running work may finish. The lease is renewed until then. */
  readonly withinMs: number;

  constructor(code: 'lost' | 'stopping', withinMs = 0) {
    super(code === 'lost' ? 'the job is no longer ours' : 'the server stops');
    this.code = code;
    this.withinMs = withinMs;
  }
}
