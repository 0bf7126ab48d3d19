import type { ReasoningEffort, ServiceTier, Verbosity } from '@modelwire/schema/types';
import { canBeEmulated, chatParameters, parameterRules } from './chat-parameters.ts';
import type { ChatParameter, EmulatedParameter, ParameterRule } from './chat-parameters.ts';

/** `native`: the engine does it. `emulated`: the kit does it around the engine. `refused`: a 400 that names the parameter. */
export type Support = 'native' | 'emulated' | 'refused';

/** Support for each parameter, as far as it is possible. */
export type ParameterSupport = {
  readonly [Name in ChatParameter]: Name extends EmulatedParameter ? Support : Exclude<Support, 'emulated'>;
};
export type Role = 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';
export type InputKind = 'text' | 'image' | 'audio' | 'file';
/** What `tool_choice` may say, beside `auto`. */
export type ToolChoiceForm = 'none' | 'required' | 'function' | 'custom' | 'allowed_tools';

/** What one model can do. Made by `capabilities()`, which fills what is left out. */
export interface ChatCapabilities {
  readonly parameters: ParameterSupport;
  readonly roles: readonly Role[];
  /** Parts of messages that the engine takes itself. The text of files is read into the prompt where `file` is not among them. */
  readonly inputs: readonly InputKind[];
  /**
   * Where an image may be that the engine takes. With `data` alone, the default, the server fetches images on the web itself if it has
   * `fetchImage`. With `web` the engine gets any URL, also of hosts that only it can reach: declare it for engines that guard against that.
   */
  readonly image_sources: readonly ('data' | 'web')[];
  readonly modalities: readonly ('text' | 'audio')[];
  /**
   * What the engine takes itself. Where `response_format` is emulated, the kit sends these as they are and writes the others
   * into the prompt; it holds replies to them either way.
   */
  readonly response_formats: readonly ('text' | 'json_object' | 'json_schema')[];
  readonly tool_types: readonly ('function' | 'custom')[];
  /** What of `tool_choice` the engine takes itself: where that is emulated, the kit narrows the tools for the rest. */
  readonly tool_choices: readonly ToolChoiceForm[];
  /** Where a reply does not fit what the kit emulates: how often it asks again before that is an error. Default: 2. */
  readonly max_retries: number;
  /** Grammars that a custom tool's input may be held to. */
  readonly grammars: readonly ('lark' | 'regex')[];
  /** Values of `reasoning_effort`, and the one a request without it gets; undefined for a model without efforts. */
  readonly efforts: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort } | undefined;
  readonly verbosities: readonly Verbosity[];
  readonly service_tiers: readonly ServiceTier[];
  /** Whether the engine takes `provider_metadata` of assistant messages. The server removes it for others. Default: false. */
  readonly provider_metadata: boolean;
}

/** What `capabilities()` takes: only what differs from a plain text model that can nothing else. */
export type CapabilitiesInit = Partial<Omit<ChatCapabilities, 'parameters'>> & {
  readonly parameters?: Partial<ParameterSupport>;
};

function every<All extends Support>(support: All): Record<ChatParameter, All> {
  return Object.fromEntries(chatParameters.map((name) => [name, support])) as Record<ChatParameter, All>;
}

/** What the kit does around an engine that does not say otherwise. */
function byDefault(when: ParameterRule['emulated']): Partial<ParameterSupport> {
  return Object.fromEntries(
    chatParameters.filter((name) => parameterRules[name].emulated === when).map((name) => [name, 'emulated']),
  );
}

const formats = ['text', 'json_object', 'json_schema'] as const;
const choices = ['none', 'required', 'function', 'custom', 'allowed_tools'] as const;

/**
 * A full capability table from what an engine declares. Whatever is not declared is refused, except what the kit does
 * around any engine, and around one with tools (`parameterRules`).
 *
 * @throws TypeError for a parameter that is declared `emulated` and cannot be: it would be dropped silently.
 */
export function capabilities(init: CapabilitiesInit = {}): ChatCapabilities {
  const hasTools = init.parameters?.tools === 'native';
  const hasFunctions = hasTools && init.tool_types?.includes('function') === true;
  const parameters: ParameterSupport = {
    ...every('refused'),
    ...byDefault('always'),
    // A server without speech or a search refuses them after all (`serviced`).
    ...byDefault('speech'),
    ...byDefault('search'),
    ...(hasTools && byDefault('tools')),
    ...(!hasFunctions && { function_call: 'refused', functions: 'refused' }),
    ...init.parameters,
  };
  for (const name of chatParameters) {
    if (parameters[name] !== 'emulated') continue;
    if (!canBeEmulated(name)) {
      throw new TypeError(`capabilities: '${name}' cannot be emulated: declare it native or refused`);
    }
    if (name.startsWith('function') && !hasFunctions) {
      throw new TypeError(`capabilities: '${name}' is emulated by function tools: declare them, or refuse it`);
    }
    if (parameterRules[name].emulated === 'tools' && !hasTools) {
      throw new TypeError(`capabilities: '${name}' is emulated by narrowing tools: declare them, or refuse it`);
    }
  }
  const { max_retries = 2 } = init;
  if (!Number.isSafeInteger(max_retries) || max_retries < 0) {
    throw new TypeError('capabilities: max_retries must be an integer of at least 0');
  }
  const all: ChatCapabilities = {
    roles: ['developer', 'system', 'user', 'assistant'],
    inputs: ['text'],
    image_sources: ['data'],
    modalities: ['text'],
    response_formats: ['text'],
    tool_types: [],
    tool_choices: parameters.tool_choice === 'native' ? choices : [],
    max_retries,
    grammars: [],
    efforts: undefined,
    verbosities: ['medium'],
    service_tiers: ['auto', 'default', 'flex', 'priority'],
    provider_metadata: false,
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
    response_formats: formats,
    tool_types: ['function', 'custom'],
    grammars: ['lark', 'regex'],
    verbosities: ['low', 'medium', 'high'],
    ...init,
    parameters: { ...every('native'), ...init.parameters },
  });
}
