import type { TextOrTokens } from './text-or-tokens.ts';

/** Body of Create embeddings. */
export interface EmbeddingCreateParams {
  readonly input: TextOrTokens;
  readonly model: string;
  /** `base64`: little-endian 32-bit floats. Default `float`. */
  readonly encoding_format?: 'float' | 'base64';
  /** Length of the embeddings, for models that support it. */
  readonly dimensions?: number;
  readonly user?: string;
}

export interface Embedding {
  object: 'embedding';
  /** Position of the input. */
  index: number;
  /** A string of base64 where the request asked for it. */
  embedding: number[] | string;
}

export interface EmbeddingUsage {
  prompt_tokens: number;
  total_tokens: number;
}

export interface EmbeddingList {
  object: 'list';
  data: Embedding[];
  model: string;
  /** Absent where the model's server does not report it. */
  usage?: EmbeddingUsage;
}
