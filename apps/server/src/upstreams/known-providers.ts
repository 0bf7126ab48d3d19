import type { Config } from '../config/schema.ts';

/** How Modelwire reaches a provider: by its OpenAI-compatible API, or by a package for its own API. */
export interface KnownProvider {
  readonly preset?: NonNullable<Config['upstreams']>[number]['preset'];
  /** The base URL of its OpenAI-compatible API, unless each customer has their own. */
  readonly baseURL?: string;
  /** The environment variable in which its own clients expect the key. */
  readonly apiKeyEnv?: string;
  /** What LiteLLM adds to `api_base`. */
  readonly liteLLMPath?: string;
  /** What Portkey adds to `custom_host`. */
  readonly portkeyPath?: string;
  /** The package of the AI SDK for its own API. */
  readonly package?: string;
}

export const knownProviders = {
  anthropic: { package: '@ai-sdk/anthropic', baseURL: 'https://api.anthropic.com/v1', liteLLMPath: '/v1' },
  anyscale: { baseURL: 'https://api.endpoints.anyscale.com/v1' },
  azure: { preset: 'hosted', liteLLMPath: '/openai/v1' },
  bedrock: { package: '@ai-sdk/amazon-bedrock' },
  cerebras: { baseURL: 'https://api.cerebras.ai/v1', apiKeyEnv: 'CEREBRAS_API_KEY' },
  cohere: { package: '@ai-sdk/cohere', baseURL: 'https://api.cohere.ai/compatibility/v1' },
  deepinfra: { baseURL: 'https://api.deepinfra.com/v1/openai' },
  deepseek: { baseURL: 'https://api.deepseek.com/v1', apiKeyEnv: 'DEEPSEEK_API_KEY', portkeyPath: '/v1' },
  fireworks: { baseURL: 'https://api.fireworks.ai/inference/v1', apiKeyEnv: 'FIREWORKS_API_KEY' },
  google: {
    package: '@ai-sdk/google',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    apiKeyEnv: 'GEMINI_API_KEY',
  },
  groq: { baseURL: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY' },
  llamafile: { preset: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1' },
  lmStudio: { preset: 'lmstudio', baseURL: 'http://127.0.0.1:1234/v1' },
  mistral: { baseURL: 'https://api.mistral.ai/v1', apiKeyEnv: 'MISTRAL_API_KEY' },
  ollama: { preset: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', liteLLMPath: '/v1', portkeyPath: '/v1' },
  openai: { preset: 'hosted', baseURL: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' },
  openaiCompatible: {},
  openrouter: { baseURL: 'https://openrouter.ai/api/v1', apiKeyEnv: 'OPENROUTER_API_KEY', portkeyPath: '/v1' },
  perplexity: { baseURL: 'https://api.perplexity.ai' },
  together: { baseURL: 'https://api.together.xyz/v1', apiKeyEnv: 'TOGETHER_API_KEY', portkeyPath: '/v1' },
  vertex: { package: '@ai-sdk/google-vertex' },
  vllm: { preset: 'vllm' },
  xai: { baseURL: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY' },
} satisfies Readonly<Record<string, KnownProvider>>;

export type ProviderName = keyof typeof knownProviders;

/** The providers with an OpenAI-compatible API whose own clients take the key from an environment variable. */
export const hostedProviders = Object.entries<KnownProvider>(knownProviders).flatMap(
  ([name, { baseURL, apiKeyEnv }]) =>
    baseURL === undefined || apiKeyEnv === undefined ? [] : [{ name, baseURL, apiKeyEnv }],
);
