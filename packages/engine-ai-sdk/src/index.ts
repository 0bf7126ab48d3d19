export { createAiSdk } from './ai-sdk.ts';
export { createAiSdkEmbeddings } from './embeddings.ts';
export type { AiSdkEmbeddingModelOptions, AiSdkEmbeddingsOptions } from './embedding-options.ts';
export { loadProvider, ProviderSetupError } from './load-provider.ts';
export type { ProviderInit } from './load-provider.ts';
export type { AiSdkModelOptions, AiSdkOptions } from './options.ts';
