/** Why a handler's signal aborts: the job is another's now, or this server stops. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly why: 'lost' | 'stopping';
  /** What is under way may end in so many milliseconds; the job stays ours meanwhile. */
  readonly withinMs: number;

  constructor(why: 'lost' | 'stopping', withinMs = 0) {
    super(why === 'lost' ? 'the job is no longer ours' : 'the server stops');
    this.why = why;
    this.withinMs = withinMs;
  }
}
