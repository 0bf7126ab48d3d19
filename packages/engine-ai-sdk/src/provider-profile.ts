import { capabilities } from '@modelwire/ports';
import type { CapabilitiesInit, ChatCapabilities, ParameterSupport } from '@modelwire/ports';
import type { SharedV4ProviderOptions } from '@ai-sdk/provider';

/** Known properties of the models of one provider. */
export interface ProviderProfile {
  readonly capabilities: CapabilitiesInit;
  /** The provider accepts either `temperature` or `top_p`: if both are set, a value of 1 is not sent. */
  readonly hasExclusiveSampling?: boolean;
  /** The provider takes system messages only at the start: later ones are moved there, in their order. */
  readonly hasLeadingSystemOnly?: boolean;
  /** Provider options for `parallel_tool_calls: false`. */
  readonly singleToolCall?: SharedV4ProviderOptions;
  /** The providers in whose options `promptCacheKey` and `promptCacheRetention` are known. Default: none. */
  readonly cacheHintsOf?: readonly string[];
}

const cacheHints = { prompt_cache_key: 'native', prompt_cache_retention: 'native' } as const;

/**
 * What the call options of the specification can carry. A provider that cannot honour one of these warns, and the request gets a 400.
 * Replies to a `response_format` are validated by the server, because the specification has no strict mode.
 */
const common: Partial<ParameterSupport> = {
  frequency_penalty: 'native',
  max_completion_tokens: 'native',
  max_tokens: 'native',
  presence_penalty: 'native',
  reasoning_effort: 'native',
  response_format: 'native',
  seed: 'native',
  stop: 'native',
  temperature: 'native',
  tool_choice: 'emulated',
  tools: 'native',
  top_p: 'native',
};

const commonCapabilities: CapabilitiesInit = {
  roles: ['developer', 'system', 'user', 'assistant', 'tool'],
  inputs: ['text', 'image', 'file'],
  response_formats: ['text', 'json_object', 'json_schema'],
  tool_types: ['function'],
  tool_choices: ['none', 'required', 'function'],
  provider_metadata: true,
};

const profiles: Readonly<Record<string, ProviderProfile>> = {
  anthropic: {
    capabilities: {
      parameters: {
        frequency_penalty: 'refused',
        parallel_tool_calls: 'native',
        presence_penalty: 'refused',
        seed: 'refused',
      },
      // JSON without a schema is requested in the prompt.
      response_formats: ['text', 'json_schema'],
    },
    hasExclusiveSampling: true,
    singleToolCall: { anthropic: { disableParallelToolUse: true } },
  },
  'amazon-bedrock': {
    capabilities: { parameters: { frequency_penalty: 'refused', presence_penalty: 'refused', seed: 'refused' } },
  },
  azure: {
    capabilities: { parameters: { parallel_tool_calls: 'native', ...cacheHints } },
    singleToolCall: { azure: { parallelToolCalls: false }, openai: { parallelToolCalls: false } },
    cacheHintsOf: ['azure', 'openai'],
  },
  google: {
    capabilities: { inputs: ['text', 'image', 'audio', 'file'] },
    hasLeadingSystemOnly: true,
  },
  openai: {
    capabilities: {
      parameters: { parallel_tool_calls: 'native', ...cacheHints },
      inputs: ['text', 'image', 'audio', 'file'],
    },
    singleToolCall: { openai: { parallelToolCalls: false } },
    cacheHintsOf: ['openai'],
  },
};

const unknownProvider: ProviderProfile = { capabilities: {} };

/** The first part of a provider id: `anthropic` of `anthropic.messages`. */
export function providerName(provider: string): string {
  return provider.split('.')[0] ?? provider;
}

export function profileOf(provider: string): ProviderProfile {
  const name = providerName(provider);
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? unknownProvider) : unknownProvider;
}

/** Capabilities of a model: those of the specification, of its provider, and of its options, the later ones first. */
export function modelCapabilities(profile: ProviderProfile, init: CapabilitiesInit = {}): ChatCapabilities {
  const parameters = { ...common, ...profile.capabilities.parameters, ...init.parameters };
  const withoutTools: Partial<ParameterSupport> =
    parameters.tools === 'native' ? {} : { parallel_tool_calls: 'refused', tool_choice: 'refused' };
  return capabilities({
    ...commonCapabilities,
    ...profile.capabilities,
    ...init,
    parameters: { ...parameters, ...withoutTools },
  });
}
