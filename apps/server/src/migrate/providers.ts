import { knownProviders } from '../upstreams/known-providers.ts';
import type { KnownProvider, ProviderName } from '../upstreams/known-providers.ts';

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
export function liteLLMProvider(name: string): KnownProvider | undefined {
  const known = inLiteLLM.get(name);
  return known && knownProviders[known];
}

/** A provider of Portkey; undefined if it is unknown. */
export function portkeyProvider(name: string): KnownProvider | undefined {
  const known = inPortkey.get(name);
  return known && knownProviders[known];
}

export const portkeyProviderNames: readonly string[] = [...inPortkey.keys()];

/** An address with a path at its end, which may be there already. */
export function addressWith(address: string, path = ''): string {
  const url = address.replace(/\/$/, '');
  return url.endsWith(path) ? url : `${url}${path}`;
}
