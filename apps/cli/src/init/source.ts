/** What can serve models, and becomes an entry of the configuration. */
export type Source = UpstreamSource | GgufSource;

export interface UpstreamSource {
  readonly kind: 'upstream';
  readonly description: string;
  readonly name: string;
  readonly baseURL: string;
  /** The environment variable with its key. */
  readonly apiKeyEnv?: string | undefined;
}

export interface GgufSource {
  readonly kind: 'gguf';
  readonly description: string;
  /** As in the configuration: relative to the folder in which the server starts. */
  readonly path: string;
}
