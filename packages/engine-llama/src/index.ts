export { createLlama } from './llama.ts';
export type { LlamaEngine } from './llama.ts';
export type { LlamaEngineOptions, LlamaGpu } from './options.ts';
export { LlamaSetupError } from './setup-error.ts';
