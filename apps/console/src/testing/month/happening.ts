/** Something that happens at a time, in milliseconds before now. */
export interface Happening {
  readonly agoMs: number;
  run(): Promise<unknown>;
}
