export interface Embedding {
  object: 'embedding';
  /** Position of the input. */
  index: number;
  /** Base64 if requested. */
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
