import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { Support } from '@modelwire/ports';
import type { EngineOptions, ModelOptions } from './options.ts';

/** What `createAiSdkEmbeddings` takes. */
export interface AiSdkEmbeddingsOptions extends EngineOptions {
  /** Embedding models; at least one. */
  readonly models: readonly AiSdkEmbeddingModelOptions[];
}

/** One embedding model. */
export interface AiSdkEmbeddingModelOptions extends ModelOptions {
  /** The model of the AI SDK, such as `google.embeddingModel('gemini-embedding-001')`. It implements specification version `v4`. */
  readonly model: EmbeddingModelV4;
  /** Length of an embedding without `dimensions`. Default: unknown. */
  readonly size?: number;
  /** `dimensions` of a request: by the provider (`native`), by the server (`emulated`), or a 400 (`refused`). Default: `native`. */
  readonly dimensions?: Support;
}
