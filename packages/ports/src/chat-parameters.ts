/** What may be said of a parameter: `emulated` where the kit can do it around an engine, and when it does so unasked. */
export interface ParameterRule {
  /**
   * `always`, or around engines with tools: unless they say otherwise. `speech` and `search`: the same, at a server that has a speech
   * engine or a web search. `asked`: where an engine says so. `never`: native or refused.
   */
  readonly emulated: 'always' | 'tools' | 'speech' | 'search' | 'asked' | 'never';
  /** How the kit does it, or what a refusal spares the caller from. */
  readonly how: string;
}

/**
 * Parameters of the request table whose support differs from model to model, each native, emulated or refused: the one
 * place where that is decided. The README's table says the same, and tests walk both.
 */
export const parameterRules = {
  audio: { emulated: 'speech', how: 'the text of the reply is spoken, sentence by sentence' },
  frequency_penalty: { emulated: 'never', how: 'needs the probabilities' },
  function_call: { emulated: 'tools', how: 'as `tool_choice`' },
  functions: { emulated: 'tools', how: 'as function tools, in the messages too' },
  logit_bias: { emulated: 'never', how: 'needs the probabilities' },
  logprobs: { emulated: 'never', how: 'are not made up' },
  max_completion_tokens: { emulated: 'always', how: 'the reply is cut, `length`' },
  max_tokens: { emulated: 'always', how: 'the reply is cut, `length`' },
  modalities: { emulated: 'speech', how: 'the text of the reply is spoken, sentence by sentence' },
  n: { emulated: 'always', how: 'as many calls, eight at once, each with a seed of its own' },
  parallel_tool_calls: { emulated: 'tools', how: 'the reply is cut after its first call' },
  prediction: { emulated: 'never', how: 'would count tokens that nobody predicted' },
  presence_penalty: { emulated: 'never', how: 'needs the probabilities' },
  prompt_cache_key: { emulated: 'never', how: 'the cache is the engine’s' },
  prompt_cache_retention: { emulated: 'never', how: 'the cache is the engine’s' },
  reasoning_effort: { emulated: 'never', how: 'how a model thinks is its own' },
  response_format: { emulated: 'asked', how: 'the reply is held until it fits, asked for again, then an error' },
  safety_identifier: { emulated: 'always', how: 'stands in the log of this server, and goes no further' },
  seed: { emulated: 'never', how: 'would promise a repetition that does not come' },
  service_tier: { emulated: 'always', how: 'decides who waits longer for the engine' },
  stop: { emulated: 'always', how: 'the reply is cut, `stop`' },
  temperature: { emulated: 'never', how: 'needs the probabilities' },
  tool_choice: {
    emulated: 'tools',
    how: 'only the tools that may be called are sent; a call that must come is asked for again',
  },
  tools: { emulated: 'never', how: 'a model that was not made for tools writes calls that fail' },
  top_logprobs: { emulated: 'never', how: 'are not made up' },
  top_p: { emulated: 'never', how: 'needs the probabilities' },
  user: { emulated: 'always', how: 'stands in the log of this server, and goes no further' },
  verbosity: { emulated: 'never', how: 'how much a model says is its own' },
  web_search_options: { emulated: 'search', how: 'the model is told what was found, and cites it by number' },
} as const satisfies Record<string, ParameterRule>;

export type ChatParameter = keyof typeof parameterRules;

/** What the kit can do around an engine that cannot. */
export type EmulatedParameter = {
  [Name in ChatParameter]: (typeof parameterRules)[Name]['emulated'] extends 'never' ? never : Name;
}[ChatParameter];

export const chatParameters: readonly ChatParameter[] = Object.freeze(
  (Object.keys(parameterRules) as ChatParameter[]).sort(),
);

/** Parameters that may be declared `emulated`. */
export const emulatedParameters: readonly EmulatedParameter[] = Object.freeze(chatParameters.filter(canBeEmulated));

export function canBeEmulated(name: ChatParameter): name is EmulatedParameter {
  return parameterRules[name].emulated !== 'never';
}
