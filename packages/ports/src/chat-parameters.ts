import type { ChatCompletionCreateParamsBase } from '@modelwire/schema/types';

/** How a parameter of a chat request is supported for an engine that does not declare it `native`. */
export interface ParameterRule {
  /**
   * When the server emulates the parameter. `always`: for every engine. `tools`: for engines with tools. `speech` and `search`: on a server
   * with a speech engine or a web search. `never`: it is native or refused. With the others, an engine can still declare it otherwise.
   */
  readonly emulated: 'always' | 'tools' | 'speech' | 'search' | 'never';
  /** How the server emulates it, or why it cannot. */
  readonly how: string;
  /** Whether `ChatRequest` has the value of the client as it is, and undefined where the client sets none. */
  readonly isPassed?: true;
}

/** Fields of a chat request that the server serves itself, the same for every model. */
type ServedParameter = 'messages' | 'metadata' | 'model' | 'moderation' | 'store' | 'stream' | 'stream_options';

/**
 * Every parameter of a chat request whose support differs between models. Capabilities, configuration, `ChatRequest` and the table in the
 * README of the server are derived from it.
 */
export const parameterRules = {
  audio: { emulated: 'speech', how: 'the text of the reply is synthesized, sentence by sentence' },
  frequency_penalty: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  function_call: { emulated: 'tools', how: 'as `tool_choice`' },
  functions: { emulated: 'tools', how: 'as function tools, also in the messages' },
  logit_bias: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  logprobs: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  max_completion_tokens: { emulated: 'always', how: 'the reply is truncated, `finish_reason` is `length`' },
  max_tokens: { emulated: 'always', how: 'the reply is truncated, `finish_reason` is `length`' },
  min_p: { emulated: 'never', how: 'needs the probabilities of the tokens', isPassed: true },
  modalities: { emulated: 'speech', how: 'the text of the reply is synthesized, sentence by sentence' },
  n: { emulated: 'always', how: 'one call per choice, at most eight at the same time, each with its own seed' },
  parallel_tool_calls: { emulated: 'tools', how: 'the reply is truncated after its first call' },
  prediction: { emulated: 'never', how: 'the accepted tokens would be made up' },
  presence_penalty: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  prompt_cache_key: {
    emulated: 'always',
    how: 'requests with the same key go to the same of several upstreams; not sent to the engine',
    isPassed: true,
  },
  prompt_cache_options: {
    emulated: 'always',
    how: 'a breakpoint in the messages decides which of several upstreams receives the request; neither is sent to the engine',
    isPassed: true,
  },
  prompt_cache_retention: {
    emulated: 'always',
    how: 'a hint without effect: the engine decides how long it keeps prompts',
    isPassed: true,
  },
  reasoning_effort: { emulated: 'never', how: 'only the model controls its reasoning' },
  repeat_penalty: { emulated: 'never', how: 'needs the probabilities of the tokens', isPassed: true },
  response_format: {
    emulated: 'never',
    how: 'formats that the engine does not support are written into the prompt, see [structured outputs](#structured-outputs)',
  },
  safety_identifier: { emulated: 'always', how: 'written to the log of the server, and not sent to the engine' },
  seed: { emulated: 'never', how: 'replies would not be repeatable', isPassed: true },
  service_tier: {
    emulated: 'always',
    how: 'decides the order in the queue of the engine; `fast` is `priority`, `scale` is `default`',
  },
  stop: { emulated: 'always', how: 'the reply is truncated, `finish_reason` is `stop`' },
  temperature: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  tool_choice: {
    emulated: 'tools',
    how: 'only the allowed tools are sent; if a required call is missing, the reply is requested again',
  },
  tools: { emulated: 'never', how: 'models that are not trained for tools write invalid calls' },
  top_k: { emulated: 'never', how: 'needs the probabilities of the tokens', isPassed: true },
  top_logprobs: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  top_p: { emulated: 'never', how: 'needs the probabilities of the tokens' },
  typical_p: { emulated: 'never', how: 'needs the probabilities of the tokens', isPassed: true },
  user: { emulated: 'always', how: 'written to the log of the server, and not sent to the engine' },
  verbosity: { emulated: 'never', how: 'only the model controls its verbosity' },
  web_search_options: { emulated: 'search', how: 'the results are added to the prompt, and cited by number' },
} as const satisfies Readonly<Record<Exclude<keyof ChatCompletionCreateParamsBase, ServedParameter>, ParameterRule>>;

export type ChatParameter = keyof typeof parameterRules;

/** Parameters that the server can emulate. */
export type EmulatedParameter = {
  [Name in ChatParameter]: (typeof parameterRules)[Name]['emulated'] extends 'never' ? never : Name;
}[ChatParameter];

/** Parameters that `ChatRequest` has as the client sent them. */
export type PassedParameter = {
  [Name in ChatParameter]: (typeof parameterRules)[Name] extends { readonly isPassed: true } ? Name : never;
}[ChatParameter];

export const chatParameters: readonly ChatParameter[] = Object.freeze(
  (Object.keys(parameterRules) as ChatParameter[]).sort(),
);

/** Parameters that may be declared `emulated`. */
export const emulatedParameters: readonly EmulatedParameter[] = Object.freeze(chatParameters.filter(canBeEmulated));

const rules: Readonly<Record<ChatParameter, ParameterRule>> = parameterRules;

/** Parameters that `ChatRequest` has as the client sent them. */
export const passedParameters: readonly PassedParameter[] = Object.freeze(
  chatParameters.filter((name): name is PassedParameter => rules[name].isPassed === true),
);

export function canBeEmulated(name: ChatParameter): name is EmulatedParameter {
  return parameterRules[name].emulated !== 'never';
}
