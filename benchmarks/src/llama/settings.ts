/** The model and the resources that both servers get. */
export interface ModelSettings {
  /** The GGUF file. */
  readonly path: string;
  /** Compute threads. */
  readonly threads: number;
  /** Tokens of the context of each request. */
  readonly contextSize: number;
  /** Concurrent requests. */
  readonly sequences: number;
}
