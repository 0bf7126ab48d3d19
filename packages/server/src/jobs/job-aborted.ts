/** The reason of a handler's signal: another worker has the job, or this server is stopping. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly kind: 'lost' | 'stopping';
  /** Milliseconds in which running work may finish. The lease is renewed until then. */
  readonly withinMs: number;

  constructor(kind: 'lost' | 'stopping', withinMs = 0) {
    super(kind === 'lost' ? 'the lease of the job was lost' : 'the server is stopping');
    this.kind = kind;
    this.withinMs = withinMs;
  }
}
