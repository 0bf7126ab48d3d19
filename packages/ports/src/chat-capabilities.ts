import type { ReasoningEffort, ServiceTier, Verbosity } from '@modelwire/schema/types';
import { canBeEmulated, chatParameters, parameterRules } from './chat-parameters.ts';
import type { ChatParameter, EmulatedParameter, ParameterRule } from './chat-parameters.ts';

/** `native`: the engine supports it. `emulated`: the server does it for the engine. `refused`: a 400 that names the parameter. */
export type Support = 'native' | 'emulated' | 'refused';

/** Support for each parameter. */
export type ParameterSupport = {
  readonly [Name in ChatParameter]: Name extends EmulatedParameter ? Support : Exclude<Support, 'emulated'>;
};
export type Role = 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';
export type InputKind = 'text' | 'image' | 'audio' | 'file';
/** Values of `tool_choice` other than `auto`. */
export type ToolChoiceForm = 'none' | 'required' | 'function' | 'custom' | 'allowed_tools';

/** From what the server does least for to what it does most for. */
export const structuredOutputsModes = ['off', 'native', 'guaranteed'] as const;

/** What a model supports. Created by `capabilities()`, which fills in defaults. */
export interface ChatCapabilities {
  readonly parameters: ParameterSupport;
  readonly roles: readonly Role[];
  /** Message parts that the engine supports. Without `file`, the server adds the text of files to the prompt. */
  readonly inputs: readonly InputKind[];
  /**
   * Image URLs that the engine supports. With `data` only (the default), the server fetches images from the web if it has `fetchImage`. With
   * `web` the engine receives any URL, including those of internal hosts: declare it only for engines that protect against that.
   */
  readonly image_sources: readonly ('data' | 'web')[];
  readonly modalities: readonly ('text' | 'audio')[];
  /** Formats that the engine supports. If structured outputs are `guaranteed`, the server writes the others into the prompt. */
  readonly response_formats: readonly ('text' | 'json_object' | 'json_schema')[];
  /** Types of tools that the engine supports. With functions only, the server converts custom tools to functions. */
  readonly tool_types: readonly ('function' | 'custom')[];
  /** Values of `tool_choice` that the engine supports. If it is emulated, the server restricts the tools for the others. */
  readonly tool_choices: readonly ToolChoiceForm[];
  /**
   * How replies become what `response_format`, strict functions and grammars of custom tools require. `guaranteed` (the default): the server
   * repairs replies, or requests them again. `native`: the engine has grammars, and an invalid reply is an error. `off`: replies are not checked.
   */
  readonly structured_outputs: (typeof structuredOutputsModes)[number];
  /**
   * Whether the engine continues a message of the assistant at the end of a prompt (`ChatRequest.continue_final_message`). Default: undefined, the
   * server finds out.
   */
  readonly assistant_prefill: boolean | undefined;
  /** Grammars that the engine supports for the input of custom tools. */
  readonly grammars: readonly ('lark' | 'regex')[];
  /** Values of `reasoning_effort` and the default; undefined for a model without efforts. */
  readonly efforts: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort } | undefined;
  readonly verbosities: readonly Verbosity[];
  readonly service_tiers: readonly ServiceTier[];
  /** Whether the engine takes `reasoning_content` of assistant messages. Otherwise the server removes it. Default: false. */
  readonly reasoning_content: boolean;
  /** Whether the engine supports `provider_metadata` of assistant messages. Otherwise the server removes it. Default: false. */
  readonly provider_metadata: boolean;
}

/** Options of `capabilities()`: what differs from a model that supports text only. */
export type CapabilitiesInit = Partial<Omit<ChatCapabilities, 'parameters'>> & {
  readonly parameters?: Partial<ParameterSupport>;
};

function every<All extends Support>(support: All): Record<ChatParameter, All> {
  return Object.fromEntries(chatParameters.map((name) => [name, support])) as Record<ChatParameter, All>;
}

/** What the server emulates if the engine does not declare otherwise. */
function byDefault(when: ParameterRule['emulated']): Partial<ParameterSupport> {
  return Object.fromEntries(
    chatParameters.filter((name) => parameterRules[name].emulated === when).map((name) => [name, 'emulated']),
  );
}

const formats = ['text', 'json_object', 'json_schema'] as const;
const choices = ['none', 'required', 'function', 'custom', 'allowed_tools'] as const;

/**
 * Completes the capabilities that an engine declares. What it does not declare is refused, unless the server emulates it for all engines or
 * for engines with tools (`parameterRules`).
 *
 * @throws TypeError for a parameter that is declared `emulated` and cannot be emulated: it would be dropped silently.
 */
export function capabilities(init: CapabilitiesInit = {}): ChatCapabilities {
  const hasTools = init.parameters?.tools === 'native';
  const hasFunctions = hasTools && init.tool_types?.includes('function') === true;
  const parameters: ParameterSupport = {
    ...every('refused'),
    ...byDefault('always'),
    // A server without a speech engine or a web search refuses them (`withServerCapabilities`).
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
  const all: ChatCapabilities = {
    roles: ['developer', 'system', 'user', 'assistant'],
    inputs: ['text'],
    image_sources: ['data'],
    modalities: ['text'],
    response_formats: ['text'],
    tool_types: [],
    tool_choices: parameters.tool_choice === 'native' ? choices : [],
    structured_outputs: 'guaranteed',
    assistant_prefill: undefined,
    grammars: [],
    efforts: undefined,
    verbosities: ['medium'],
    service_tiers: ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
    reasoning_content: false,
    provider_metadata: false,
    ...init,
    parameters: Object.freeze(parameters),
  };
  return Object.freeze(all);
}

/** A model that supports everything, for upstreams that implement the API themselves. */
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

const supportRank = { native: 0, emulated: 1, refused: 2 } as const;

/** What models with the one and the other capabilities both support. */
export function intersectCapabilities(a: ChatCapabilities, b: ChatCapabilities): ChatCapabilities {
  const intersect = <Value>(left: readonly Value[], right: readonly Value[]): Value[] =>
    left.filter((value) => right.includes(value));
  const parameters = Object.fromEntries(
    Object.entries(a.parameters).map(([name, left]) => {
      const right = b.parameters[name as keyof typeof b.parameters];
      return [name, supportRank[left] > supportRank[right] ? left : right];
    }),
  );
  return capabilities({
    parameters,
    roles: intersect(a.roles, b.roles),
    inputs: intersect(a.inputs, b.inputs),
    image_sources: intersect(a.image_sources, b.image_sources),
    modalities: intersect(a.modalities, b.modalities),
    response_formats: intersect(a.response_formats, b.response_formats),
    structured_outputs:
      structuredOutputsModes.indexOf(a.structured_outputs) > structuredOutputsModes.indexOf(b.structured_outputs)
        ? a.structured_outputs
        : b.structured_outputs,
    assistant_prefill: intersectPrefill(a.assistant_prefill, b.assistant_prefill),
    tool_types: intersect(a.tool_types, b.tool_types),
    tool_choices: intersect(a.tool_choices, b.tool_choices),
    grammars: intersect(a.grammars, b.grammars),
    efforts: a.efforts ?? b.efforts,
    verbosities: intersect(a.verbosities, b.verbosities),
    service_tiers: intersect(a.service_tiers, b.service_tiers),
    reasoning_content: a.reasoning_content && b.reasoning_content,
  });
}

function intersectPrefill(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  return a === false || b === false ? false : a && b;
}
