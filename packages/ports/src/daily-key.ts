/** What counts are kept for: a day, a project, a key and a model. */
export interface DailyKey {
  /** Unix seconds of the start of the day, UTC. */
  readonly day: number;
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
}
