import type { Upstream } from './translation.ts';

/** How Modelwire reaches a provider: by its OpenAI-compatible API, or by a package for its own API. */
export interface ProviderAccess {
  readonly preset?: Upstream['preset'];
  /** The base URL of its OpenAI-compatible API, unless each customer has their own. */
  readonly baseURL?: string;
  /** What LiteLLM adds to `api_base`. */
  readonly liteLLMPath?: string;
  /** What Portkey adds to `custom_host`. */
  readonly portkeyPath?: string;
  /** The package of the AI SDK for its own API. */
  readonly package?: string;
}

const providers = {
  anthropic: { package: '@ai-sdk/anthropic', baseURL: 'https://api.anthropic.com/v1', liteLLMPath: '/v1' },
  anyscale: { baseURL: 'https://api.endpoints.anyscale.com/v1' },
  azure: { preset: 'hosted', liteLLMPath: '/openai/v1' },
  bedrock: { package: '@ai-sdk/amazon-bedrock' },
  cerebras: { baseURL: 'https://api.cerebras.ai/v1' },
  cohere: { package: '@ai-sdk/cohere', baseURL: 'https://api.cohere.ai/compatibility/v1' },
  deepinfra: { baseURL: 'https://api.deepinfra.com/v1/openai' },
  deepseek: { baseURL: 'https://api.deepseek.com/v1', portkeyPath: '/v1' },
  fireworks: { baseURL: 'https://api.fireworks.ai/inference/v1' },
  google: { package: '@ai-sdk/google', baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  groq: { baseURL: 'https://api.groq.com/openai/v1' },
  llamafile: { preset: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1' },
  lmStudio: { preset: 'lmstudio', baseURL: 'http://127.0.0.1:1234/v1' },
  mistral: { baseURL: 'https://api.mistral.ai/v1' },
  ollama: { preset: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', liteLLMPath: '/v1', portkeyPath: '/v1' },
  openai: { preset: 'hosted', baseURL: 'https://api.openai.com/v1' },
  openaiCompatible: {},
  openrouter: { baseURL: 'https://openrouter.ai/api/v1', portkeyPath: '/v1' },
  perplexity: { baseURL: 'https://api.perplexity.ai' },
  together: { baseURL: 'https://api.together.xyz/v1', portkeyPath: '/v1' },
  vertex: { package: '@ai-sdk/google-vertex' },
  vllm: { preset: 'vllm' },
  xai: { baseURL: 'https://api.x.ai/v1' },
} satisfies Readonly<Record<string, ProviderAccess>>;

type ProviderName = keyof typeof providers;

/** The names of providers in LiteLLM. */
const inLiteLLM: ReadonlyMap<string, ProviderName> = new Map([
  ...(['anthropic', 'anyscale', 'azure', 'bedrock', 'cerebras', 'cohere', 'deepinfra', 'deepseek'] as const).map(same),
  ...(['groq', 'llamafile', 'mistral', 'ollama', 'openai', 'openrouter', 'perplexity', 'xai'] as const).map(same),
  ['custom_openai', 'openaiCompatible'],
  ['fireworks_ai', 'fireworks'],
  ['gemini', 'google'],
  ['hosted_vllm', 'vllm'],
  ['litellm_proxy', 'openaiCompatible'],
  ['lm_studio', 'lmStudio'],
  ['ollama_chat', 'ollama'],
  ['openai_like', 'openaiCompatible'],
  ['together_ai', 'together'],
  ['vertex_ai', 'vertex'],
]);

/** The names of providers in Portkey. */
const inPortkey: ReadonlyMap<string, ProviderName> = new Map([
  ...(['anthropic', 'anyscale', 'bedrock', 'cerebras', 'cohere', 'deepinfra', 'deepseek'] as const).map(same),
  ...(['google', 'groq', 'ollama', 'openai', 'openrouter'] as const).map(same),
  ['azure-openai', 'azure'],
  ['fireworks-ai', 'fireworks'],
  ['mistral-ai', 'mistral'],
  ['perplexity-ai', 'perplexity'],
  ['together-ai', 'together'],
  ['vertex-ai', 'vertex'],
  ['x-ai', 'xai'],
]);

function same<Name extends ProviderName>(name: Name): readonly [string, Name] {
  return [name, name];
}

/** The provider of a model in LiteLLM; undefined if it is unknown. */
export function liteLLMProvider(name: string): ProviderAccess | undefined {
  const known = inLiteLLM.get(name);
  return known && providers[known];
}

/** A provider of Portkey; undefined if it is unknown. */
export function portkeyProvider(name: string): ProviderAccess | undefined {
  const known = inPortkey.get(name);
  return known && providers[known];
}

export const portkeyProviderNames: readonly string[] = [...inPortkey.keys()];

/** An address with a path at its end, which may be there already. */
export function addressWith(address: string, path = ''): string {
  const url = address.replace(/\/$/, '');
  return url.endsWith(path) ? url : `${url}${path}`;
}
