import type {
  ChatCompletionAudioParam,
  ChatCompletionCreateParamsBase,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ReasoningEffort,
  ResponseFormat,
  ServiceTier,
  ToolChoice,
  Verbosity,
  WebSearchOptions,
} from '@modelwire/schema/types';
import { passedParameters } from './chat-parameters.ts';
import type { PassedParameter } from './chat-parameters.ts';
import type { WebSearchResult } from './web-search.ts';

type Passed = Pick<ChatCompletionCreateParamsBase, PassedParameter>;

/** The parameters without a default, as the client sent them: undefined where it set none. */
export type PassedParameters = { readonly [Name in keyof Passed]: NonNullable<Passed[Name]> | undefined };

/**
 * A chat request as engines receive it: validated, checked against the capabilities of the model, with every default filled in. Field
 * names are those of the API. `EngineContext.requestBody` is the body of the client.
 */
export interface ChatRequest extends PassedParameters {
  readonly model: string;
  /** If the server emulates `functions`, deprecated calls and their results are tool calls and tool messages here. */
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Number of choices, at least 1. Always 1 for an engine that does not support `n`. */
  readonly n: number;
  /** At most 4, none of them empty. Empty if the server truncates the reply for the engine. */
  readonly stop: readonly string[];
  /** `max_completion_tokens` or the deprecated `max_tokens`. Undefined without a limit, or if the server truncates the reply. */
  readonly max_completion_tokens: number | undefined;
  readonly temperature: number;
  readonly top_p: number;
  readonly frequency_penalty: number;
  readonly presence_penalty: number;
  /** Token IDs, each with a bias from -100 to 100. */
  readonly logit_bias: Readonly<Record<string, number>>;
  readonly logprobs: boolean;
  readonly top_logprobs: number;
  /** The default of the model if the client set none; undefined for a model without efforts. */
  readonly reasoning_effort: ReasoningEffort | undefined;
  readonly verbosity: Verbosity;
  readonly service_tier: ServiceTier;
  /** If the server emulates the deprecated `functions`, they are function tools here. */
  readonly tools: readonly ChatCompletionTool[];
  /** Default: `none` without tools, `auto` with tools. `tools` contains every tool that it names. */
  readonly tool_choice: ToolChoice;
  readonly parallel_tool_calls: boolean;
  readonly response_format: ResponseFormat;
  /** Text that is expected in the reply, its parts joined. */
  readonly prediction: string | undefined;
  /** Voice and format, if `modalities` has `audio`. Undefined if the server synthesizes the speech. */
  readonly audio?: ChatCompletionAudioParam | undefined;
  /** The reply continues the last message, which is one of the assistant (`ChatCapabilities.assistant_prefill`). */
  readonly continue_final_message?: true | undefined;
  /** Undefined if the server searches for the engine. */
  readonly web_search_options?: WebSearchOptions | undefined;
  /** Results of the server's search. `messages` contain them as well, numbered from 1. */
  readonly search_results?: readonly WebSearchResult[] | undefined;
  /** The query that found `search_results`. */
  readonly search_query?: string | undefined;
}

/** The values of the parameters of `ChatRequest` that the client sends without a default. */
export function passParameters(parameters: Passed): PassedParameters {
  // A copy has the same hidden class for all requests, and is faster than assigning each field.
  const passed: Partial<Record<PassedParameter, unknown>> = { ...nonePassed };
  for (const name of Object.keys(parameters)) if (isPassed(name)) passed[name] = parameters[name] ?? undefined;
  return passed as PassedParameters;
}

const nonePassed = Object.fromEntries(passedParameters.map((name) => [name, undefined]));
const passedNames: ReadonlySet<string> = new Set(passedParameters);

function isPassed(name: string): name is PassedParameter {
  return passedNames.has(name);
}

/** A chat request without parameters, except for `model` and `messages`. */
export const chatRequestDefaults: Omit<ChatRequest, 'model' | 'messages'> = Object.freeze({
  n: 1,
  stop: Object.freeze([]),
  max_completion_tokens: undefined,
  temperature: 1,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  logit_bias: Object.freeze({}),
  logprobs: false,
  top_logprobs: 0,
  reasoning_effort: undefined,
  verbosity: 'medium',
  service_tier: 'auto',
  tools: Object.freeze([]),
  tool_choice: 'none',
  parallel_tool_calls: true,
  response_format: Object.freeze({ type: 'text' }),
  prediction: undefined,
  ...passParameters({}),
});
