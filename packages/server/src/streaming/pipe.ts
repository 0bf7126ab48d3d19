/** The reading end of a stream. */
export interface Pipe<Chunk> {
  /** The next chunk, when it is available; undefined at the end. Rejects if the source failed: the response is then incomplete. */
  next(): Promise<Chunk | undefined>;
  /** Cancels reading: the client has disconnected. */
  cancel(reason: unknown): void;
  /** Calls back when the reader was disconnected because it read nothing for too long. */
  onStall(listener: () => void): void;
}
