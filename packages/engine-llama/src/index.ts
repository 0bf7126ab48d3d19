export { createLlamaEmbedding } from './embedding.ts';
export type { LlamaEmbeddingEngine } from './embedding.ts';
export { createLlama } from './llama.ts';
export type { LlamaEngine } from './llama.ts';
export type { LlamaCacheType } from './backend/cache-type.ts';
export type { LlamaEmbeddingOptions, LlamaEngineOptions, LlamaGpu, LlamaGpuLayers } from './options.ts';
export { LlamaSetupError } from './setup-error.ts';
