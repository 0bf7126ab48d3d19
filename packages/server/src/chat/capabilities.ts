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

/** What the kit can do around an engine that cannot. */
export type EmulatedParameter = 'function_call' | 'functions' | 'max_completion_tokens' | 'max_tokens' | 'n' | 'stop';

/** Support for each parameter, as far as it is possible. */
export type ParameterSupport = {
  readonly [Name in ChatParameter]: Name extends EmulatedParameter ? Support : Exclude<Support, 'emulated'>;
};
export type Role = 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';
export type InputKind = 'text' | 'image' | 'audio' | 'file';

/** What one model can do. Made by `capabilities()`, which fills what is left out. */
export interface ChatCapabilities {
  readonly parameters: ParameterSupport;
  readonly roles: readonly Role[];
  readonly inputs: readonly InputKind[];
  readonly modalities: readonly ('text' | 'audio')[];
  readonly response_formats: readonly ('text' | 'json_object' | 'json_schema')[];
  readonly tool_types: readonly ('function' | 'custom')[];
  /** Grammars that a custom tool's input may be held to. */
  readonly grammars: readonly ('lark' | 'regex')[];
  /** Values of `reasoning_effort`, and the one a request without it gets; undefined for a model without efforts. */
  readonly efforts: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort } | undefined;
  readonly verbosities: readonly Verbosity[];
  readonly service_tiers: readonly ServiceTier[];
}

/** What `capabilities()` takes: only what differs from a plain text model that can nothing else. */
export type CapabilitiesInit = Partial<Omit<ChatCapabilities, 'parameters'>> & {
  readonly parameters?: Partial<ParameterSupport>;
};

/** Parameters that may be declared `emulated`. The deprecated `functions` and `function_call` are, by `tools`. */
export const emulatedParameters: readonly EmulatedParameter[] = [
  'function_call',
  'functions',
  'max_completion_tokens',
  'max_tokens',
  'n',
  'stop',
];

/** Emulated around any engine that does not say otherwise. */
const byDefault: Partial<ParameterSupport> = {
  max_completion_tokens: 'emulated',
  max_tokens: 'emulated',
  n: 'emulated',
  stop: 'emulated',
};
const byTools: Partial<ParameterSupport> = { function_call: 'emulated', functions: 'emulated' };

function every<All extends Support>(support: All): Record<ChatParameter, All> {
  return Object.fromEntries(chatParameters.map((name) => [name, support])) as Record<ChatParameter, All>;
}

/**
 * A full capability table from what an engine declares. Whatever is not declared is refused, except what the kit can do
 * around any engine: `n`, `stop`, `max_completion_tokens` and `max_tokens` are emulated, and around one that has function
 * tools also the deprecated `functions` and `function_call`.
 *
 * @throws TypeError for a parameter that is declared `emulated` and cannot be: it would be dropped silently.
 */
export function capabilities(init: CapabilitiesInit = {}): ChatCapabilities {
  const hasFunctions = init.parameters?.tools === 'native' && init.tool_types?.includes('function') === true;
  const parameters: ParameterSupport = {
    ...every('refused'),
    ...byDefault,
    ...(hasFunctions && byTools),
    ...init.parameters,
  };
  for (const name of chatParameters) {
    if (parameters[name] !== 'emulated') continue;
    if (!(emulatedParameters as readonly string[]).includes(name)) {
      throw new TypeError(`capabilities: '${name}' cannot be emulated: declare it native or refused`);
    }
    if (name in byTools && !hasFunctions) {
      throw new TypeError(`capabilities: '${name}' is emulated by function tools: declare them, or refuse it`);
    }
  }
  const all: ChatCapabilities = {
    roles: ['developer', 'system', 'user', 'assistant'],
    inputs: ['text'],
    modalities: ['text'],
    response_formats: ['text'],
    tool_types: [],
    grammars: [],
    efforts: undefined,
    verbosities: ['medium'],
    service_tiers: ['auto', 'default', 'flex', 'priority'],
    ...init,
    parameters: Object.freeze(parameters),
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
    grammars: ['lark', 'regex'],
    verbosities: ['low', 'medium', 'high'],
    ...init,
    parameters: { ...every('native'), ...init.parameters },
  });
}
