import { unsupportedValue } from '@modelwire/ports';
import type { ChatRequest, EngineContext } from '@modelwire/ports';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import type { ConfiguredModel } from './configured-model.ts';
import { promptOf } from './prompt.ts';
import type { PromptInit } from './prompt-init.ts';
import { mergeProviderOptions } from './provider-options.ts';
import { providerName } from './provider-profile.ts';
import type { ProviderProfile } from './provider-profile.ts';

/**
 * A request as call options of the AI SDK. Parameters that the client did not set are left out, so that the provider's own defaults
 * apply; a default that the client did set is sent if the model declares the parameter native.
 */
export function callOptions(
  request: ChatRequest,
  { requestBody, signal }: EngineContext,
  { model, profile, providerOptions, chatModel }: ConfiguredModel,
  findMetadata: PromptInit['findMetadata'],
): LanguageModelV4CallOptions {
  const { parameters } = chatModel.capabilities;
  const isSet = (name: SamplingParameter): boolean =>
    parameters[name] === 'native' && (requestBody[name] != null || request[name] !== defaults[name]);
  const hasTools = request.tools.length > 0;
  const isSingleCall = hasTools && !request.parallel_tool_calls && parameters.parallel_tool_calls === 'native';
  const options: LanguageModelV4CallOptions = {
    prompt: promptOf(request.messages, {
      provider: providerName(model.provider),
      hasLeadingSystemOnly: profile.hasLeadingSystemOnly === true,
      findMetadata,
    }),
    abortSignal: signal,
    ...(request.max_completion_tokens !== undefined && { maxOutputTokens: request.max_completion_tokens }),
    ...(isSet('temperature') && { temperature: request.temperature }),
    ...(isSet('top_p') && { topP: request.top_p }),
    ...(isSet('frequency_penalty') && { frequencyPenalty: request.frequency_penalty }),
    ...(isSet('presence_penalty') && { presencePenalty: request.presence_penalty }),
    ...(request.stop.length > 0 && { stopSequences: [...request.stop] }),
    ...(request.seed !== undefined && { seed: seedOf(request.seed) }),
    ...(request.reasoning_effort !== undefined && { reasoning: request.reasoning_effort }),
    ...responseFormat(request),
    ...(hasTools && { tools: request.tools.map(functionTool), toolChoice: toolChoice(request.tool_choice) }),
    providerOptions: [isSingleCall ? profile.singleToolCall : undefined, cacheHints(request, profile)].reduce(
      mergeProviderOptions,
      providerOptions,
    ),
  };
  return profile.hasExclusiveSampling ? withOneSamplingParameter(options) : options;
}

function cacheHints(
  { prompt_cache_key: promptCacheKey, prompt_cache_retention: promptCacheRetention }: ChatRequest,
  { cacheHintsOf = [] }: ProviderProfile,
): SharedV4ProviderOptions {
  const hints = { ...(promptCacheKey && { promptCacheKey }), ...(promptCacheRetention && { promptCacheRetention }) };
  return Object.fromEntries(cacheHintsOf.map((provider) => [provider, hints]));
}

type SamplingParameter = keyof typeof defaults;
const defaults = { frequency_penalty: 0, presence_penalty: 0, temperature: 1, top_p: 1 };

/** Leaves out the one of `temperature` and `topP` that is 1, and so does not change the distribution. */
function withOneSamplingParameter(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { temperature, topP, ...rest } = options;
  if (temperature === undefined || topP === undefined) return options;
  if (topP === 1) return { ...rest, temperature };
  return temperature === 1 ? { ...rest, topP } : options;
}

function seedOf(seed: number | bigint): number {
  if (typeof seed === 'number') return seed;
  throw unsupportedValue('seed', `Unsupported value: 'seed' must be between -(2^53 - 1) and 2^53 - 1 with this model.`);
}

function responseFormat({ response_format: format }: ChatRequest): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') return { responseFormat: { type: 'json' } };
  const { name, description, schema } = format.json_schema;
  return {
    responseFormat: {
      type: 'json',
      name,
      ...(description !== undefined && { description }),
      ...(schema && { schema }),
    },
  };
}

function functionTool(tool: ChatCompletionTool, index: number): LanguageModelV4FunctionTool {
  if (tool.type === 'custom') {
    throw unsupportedValue(
      `tools[${index}].type`,
      `Unsupported value: custom tools are not supported with this model.`,
    );
  }
  const { name, description, parameters, strict } = tool.function;
  return {
    type: 'function',
    name,
    inputSchema: parameters ?? { type: 'object', properties: {} },
    ...(description !== undefined && { description }),
    ...(strict === true && { strict }),
  };
}

function toolChoice(choice: ToolChoice): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'function') return { type: 'tool', toolName: choice.function.name };
  throw unsupportedValue(
    'tool_choice',
    `Unsupported value: 'tool_choice' does not support '${choice.type}' with this model.`,
  );
}
