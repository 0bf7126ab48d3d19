import type { ReasoningEffort, ServiceTier, Verbosity } from '@modelwire/schema/types';

/** `native`: the engine does it. `emulated`: the kit does it around the engine. `refused`: a 400 that names the parameter. */
export type Support = 'native' | 'emulated' | 'refused';

/** Parameters of the request table whose support differs from model to model. */
export const chatParameters = [
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'modalities',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'verbosity',
  'web_search_options',
] as const;

export type ChatParameter = (typeof chatParameters)[number];
export type Role = 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';
export type InputKind = 'text' | 'image' | 'audio' | 'file';

/** What one model can do. Made by `capabilities()`, which fills what is left out. */
export interface ChatCapabilities {
  readonly parameters: Readonly<Record<ChatParameter, Support>>;
  readonly roles: readonly Role[];
  readonly inputs: readonly InputKind[];
  readonly modalities: readonly ('text' | 'audio')[];
  readonly response_formats: readonly ('text' | 'json_object' | 'json_schema')[];
  readonly tool_types: readonly ('function' | 'custom')[];
  /** Values of `reasoning_effort`, and the one a request without it gets; undefined for a model without efforts. */
  readonly efforts: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort } | undefined;
  readonly verbosities: readonly Verbosity[];
  readonly service_tiers: readonly ServiceTier[];
}

/** What `capabilities()` takes: only what differs from a plain text model that can nothing else. */
export type CapabilitiesInit = Partial<Omit<ChatCapabilities, 'parameters'>> & {
  readonly parameters?: Partial<Record<ChatParameter, Support>>;
};

const emulated: Support = 'emulated';

function every(support: Support): Record<ChatParameter, Support> {
  return Object.fromEntries(chatParameters.map((name) => [name, support])) as Record<ChatParameter, Support>;
}

/**
 * A full capability table from what an engine declares. Whatever is not declared is refused, except what the kit can do
 * around any engine: `n`, `stop`, `max_completion_tokens` and `max_tokens` are emulated.
 */
export function capabilities(init: CapabilitiesInit = {}): ChatCapabilities {
  const parameters = {
    ...every('refused'),
    n: emulated,
    stop: emulated,
    max_completion_tokens: emulated,
    max_tokens: emulated,
  };
  const all: ChatCapabilities = {
    roles: ['developer', 'system', 'user', 'assistant'],
    inputs: ['text'],
    modalities: ['text'],
    response_formats: ['text'],
    tool_types: [],
    efforts: undefined,
    verbosities: ['medium'],
    service_tiers: ['auto', 'default', 'flex', 'priority'],
    ...init,
    parameters: Object.freeze({ ...parameters, ...init.parameters }),
  };
  return Object.freeze(all);
}

/** A model that takes everything: for an upstream that serves the interface itself. */
export function allCapabilities(init: CapabilitiesInit = {}): ChatCapabilities {
  return capabilities({
    roles: ['developer', 'system', 'user', 'assistant', 'tool', 'function'],
    inputs: ['text', 'image', 'audio', 'file'],
    modalities: ['text', 'audio'],
    response_formats: ['text', 'json_object', 'json_schema'],
    tool_types: ['function', 'custom'],
    verbosities: ['low', 'medium', 'high'],
    ...init,
    parameters: { ...every('native'), ...init.parameters },
  });
}
