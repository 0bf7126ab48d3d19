export { createAiSdk } from './ai-sdk.ts';
export type { AiSdkModelOptions, AiSdkOptions } from './options.ts';
