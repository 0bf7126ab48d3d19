import type {
  ChatCompletionAudioParam,
  ChatCompletionCreateParams,
  ChatCompletionPrediction,
  WebSearchOptions,
} from '@modelwire/schema/types';
import { chatRequestDefaults as defaults, passParameters } from '@modelwire/ports';
import type { ChatModel, ChatRequest } from '@modelwire/ports';
import { formatCheckSteps, instruction, withInstruction } from '../streaming/transforms/expectation.ts';
import type { Expectation } from '../streaming/transforms/expectation.ts';
import { functionsAsTools, hasFunctions, messagesWithTools } from '../streaming/transforms/functions.ts';
import type { JsonCheck } from '../streaming/transforms/json-shape.ts';
import { runInTurns } from '../timers.ts';
import { restrictTools } from './tool-choice.ts';

/** What the kit does itself around an engine that cannot. Each undefined or empty where there is nothing to do. */
export interface Emulation {
  /** Calls to make instead of one; 1 when the engine makes all choices itself. */
  readonly calls: number;
  /** The caller speaks of `functions` where the engine has tools. */
  readonly functions: boolean;
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
  /** The reply ends after its first tool call. */
  readonly singleToolCall: boolean;
  /** What each choice has to be; it is asked for again until it is. */
  readonly expected: Expectation | undefined;
  /** What the reply is spoken with. */
  readonly speech: ChatCompletionAudioParam | undefined;
  /** What is looked up before the engine is asked. */
  readonly search: WebSearchOptions | undefined;
}

export interface Plan {
  readonly request: ChatRequest;
  readonly emulation: Emulation;
  /** Whether the kit does anything itself: then an engine cannot relay. */
  readonly emulates: boolean;
}

/** What the kit checks each reply's text with, where the engine cannot be relied on. @throws a 400 for a schema that cannot be held to. */
export async function emulatedFormatCheck(
  { response_format: format }: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
): Promise<JsonCheck | undefined> {
  if (!format || capabilities.parameters.response_format !== 'emulated') return undefined;
  const result = await runInTurns(formatCheckSteps(format));
  return 'value' in result ? result.value : undefined;
}

/**
 * The request as engines see it, every default filled in (interface: Create chat completion), and what the kit takes on.
 *
 * @param formatCheck What `emulatedFormatCheck` gives for the same request.
 */
export function normalise(
  wire: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
  formatCheck?: JsonCheck,
): Plan {
  const { parameters, efforts } = capabilities;
  const n = wire.n ?? 1;
  const stop = typeof wire.stop === 'string' ? [wire.stop] : (wire.stop ?? []);
  const maxTokens = wire.max_completion_tokens ?? wire.max_tokens ?? undefined;
  const emulateStop = stop.length > 0 && parameters.stop === 'emulated';
  const limit = wire.max_completion_tokens == null ? parameters.max_tokens : parameters.max_completion_tokens;
  const emulateLimit = maxTokens !== undefined && limit === 'emulated';
  // A conversation may hold calls of functions while this request has tools: then only its messages are made over.
  const emulateMessages = parameters.functions === 'emulated' && hasFunctions(wire);
  const emulateFunctions = emulateMessages && wire.functions !== undefined;
  const tooling = emulateFunctions ? functionsAsTools(wire) : wire;
  const tools = tooling.tools ?? defaults.tools;
  const choice = tooling.tool_choice ?? (tools.length > 0 ? 'auto' : 'none');
  const emulateChoice = tools.length > 0 && choice !== 'auto' && parameters.tool_choice === 'emulated';
  const said = emulateChoice ? restrictTools(tools, choice, capabilities.tool_choices) : undefined;
  const singleToolCall = tooling.parallel_tool_calls === false && parameters.parallel_tool_calls === 'emulated';
  const format = wire.response_format ?? defaults.response_format;
  const toPrompt = formatCheck && !capabilities.response_formats.includes(format.type) ? format : undefined;
  const expected =
    formatCheck || said?.toCall
      ? { toCall: said?.toCall, json: formatCheck, maxRetries: capabilities.max_retries }
      : undefined;
  const told = expected ? instruction(toPrompt, said?.toCall) : '';
  // Cutting and looking at a reply work on one choice at a time.
  const cuts = emulateStop || emulateLimit || singleToolCall;
  const emulateN = n > 1 && (parameters.n === 'emulated' || cuts || expected !== undefined);
  const audio = wire.modalities?.includes('audio') ? (wire.audio ?? undefined) : undefined;
  const speech = parameters.audio === 'emulated' ? audio : undefined;
  const search = parameters.web_search_options === 'emulated' ? wire.web_search_options : undefined;
  const messages = emulateMessages ? messagesWithTools(wire.messages) : wire.messages;
  return {
    emulates: emulateN || cuts || emulateMessages || emulateChoice || (expected ?? speech ?? search) !== undefined,
    emulation: {
      calls: emulateN ? n : 1,
      functions: emulateFunctions,
      stop: emulateStop ? stop : [],
      maxTokens: emulateLimit ? maxTokens : undefined,
      singleToolCall,
      expected,
      speech,
      search,
    },
    request: {
      ...passParameters(wire),
      model: wire.model,
      messages: told === '' ? messages : withInstruction(messages, told),
      n: emulateN ? 1 : n,
      stop: emulateStop ? [] : stop,
      max_completion_tokens: emulateLimit ? undefined : maxTokens,
      temperature: wire.temperature ?? defaults.temperature,
      top_p: wire.top_p ?? defaults.top_p,
      frequency_penalty: wire.frequency_penalty ?? defaults.frequency_penalty,
      presence_penalty: wire.presence_penalty ?? defaults.presence_penalty,
      logit_bias: wire.logit_bias ?? defaults.logit_bias,
      logprobs: wire.logprobs ?? defaults.logprobs,
      top_logprobs: wire.top_logprobs ?? defaults.top_logprobs,
      // Efforts that are not listed are the engine's own affair: it gets what was said.
      reasoning_effort: wire.reasoning_effort ?? efforts?.default,
      verbosity: wire.verbosity ?? defaults.verbosity,
      service_tier: wire.service_tier ?? defaults.service_tier,
      tools: said?.tools ?? tools,
      tool_choice: said?.tool_choice ?? choice,
      parallel_tool_calls: singleToolCall || (tooling.parallel_tool_calls ?? defaults.parallel_tool_calls),
      response_format: toPrompt ? defaults.response_format : format,
      prediction: wire.prediction ? textOf(wire.prediction.content) : undefined,
      audio: speech ? undefined : audio,
      web_search_options: search ? undefined : wire.web_search_options,
    },
  };
}

function textOf(content: ChatCompletionPrediction['content']): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
