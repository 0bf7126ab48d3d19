/** Something that happens at a time, in milliseconds before now. */
export interface TimedEvent {
  readonly agoMs: number;
  run(): Promise<unknown>;
}
