import type { EmbeddingModelV4, SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { Support } from '@modelwire/ports';

/** What `createAiSdkEmbeddings` takes. */
export interface AiSdkEmbeddingsOptions {
  /** Embedding models; at least one. */
  readonly models: readonly AiSdkEmbeddingModelOptions[];
  /** Name in logs. Default: `ai-sdk`. */
  readonly name?: string;
  /** Texts that error messages must not contain, such as API keys: replaced by `[redacted]`. Undefined and empty ones are ignored. */
  readonly secrets?: readonly (string | undefined)[];
  /** Called with each warning of a provider that does not affect the result. */
  readonly onWarning?: (model: string, warning: SharedV4Warning) => void;
}

/** One embedding model. */
export interface AiSdkEmbeddingModelOptions {
  /** The model of the AI SDK, such as `google.embeddingModel('gemini-embedding-001')`. It implements specification version `v4`. */
  readonly model: EmbeddingModelV4;
  /** Id in requests. Default: `model.modelId`. */
  readonly id?: string;
  /** `owned_by` in `GET /v1/models`. Default: the first part of `model.provider`, such as `google`. */
  readonly owned_by?: string;
  /** `created` in `GET /v1/models`, in Unix seconds. Default: the start of the engine. */
  readonly created?: number;
  /** Length of an embedding without `dimensions`. Default: unknown. */
  readonly size?: number;
  /** `dimensions` of a request: by the provider (`native`), by the server (`emulated`), or a 400 (`refused`). Default: `native`. */
  readonly dimensions?: Support;
  /** Provider options of every call, such as `{ google: { taskType: 'RETRIEVAL_QUERY' } }`. */
  readonly providerOptions?: SharedV4ProviderOptions;
}
