import type { SharedV4ProviderOptions } from '@ai-sdk/provider';

/** Merges the options of each provider by field; `more` takes precedence. */
export function mergeProviderOptions(
  options: SharedV4ProviderOptions | undefined,
  more: SharedV4ProviderOptions | undefined,
): SharedV4ProviderOptions {
  const merged: SharedV4ProviderOptions = { ...options };
  for (const [provider, fields] of Object.entries(more ?? {})) merged[provider] = { ...merged[provider], ...fields };
  return merged;
}
