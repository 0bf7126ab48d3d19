export { createLlamaEmbedding } from './embedding.ts';
export type { LlamaEmbeddingEngine } from './embedding.ts';
export { createLlama } from './llama.ts';
export type { LlamaEngine } from './llama.ts';
export type { LlamaEmbeddingOptions, LlamaEngineOptions, LlamaGpu } from './options.ts';
export { LlamaSetupError } from './setup-error.ts';
