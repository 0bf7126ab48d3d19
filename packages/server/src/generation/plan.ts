import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionAudioParam,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  WebSearchOptions,
  ChatCompletionTool,
  ToolChoice,
} from '@modelwire/schema/types';
import { contentText, toolName, toolPermission, withInstruction } from '@modelwire/adapter-kit';
import { chatRequestDefaults as defaults } from '@modelwire/ports';
import { passParameters } from '@modelwire/ports/internal';
import type { ChatCapabilities, ChatModel, ChatRequest, ToolChoiceForm } from '@modelwire/ports';
import { formatInstruction, grammarInstruction, toolInstruction } from '../structured-output/instructions.ts';
import type { OutputGrammars } from '../structured-output/output-grammars.ts';
import {
  callsAsFunctions,
  choiceAsFunction,
  emulatesCustomTools,
  engineGrammars,
  hasCustomTools,
  toolAsFunction,
} from '../structured-output/custom-tools.ts';

/** The features that the server emulates because the engine does not support them. A feature that is not emulated is undefined, empty or false. */
interface Emulation {
  /** Number of calls of the engine; 1 if one call generates all choices. */
  readonly engineCalls: number;
  /** Whether the deprecated `functions` of the request are sent to the engine as tools. */
  readonly convertsFunctions: boolean;
  /** Names of the custom tools that are sent to the engine as functions. */
  readonly customTools: ReadonlySet<string>;
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
  /** Whether the reply ends after its first tool call. */
  readonly singleToolCall: boolean;
  /** Names of tools of which one must be called. A choice that calls none is requested again. */
  readonly requiredTools: readonly string[] | undefined;
  /** What the texts of the reply have to be. */
  readonly grammars: OutputGrammars | undefined;
  /** Voice and format of the speech that the server synthesizes. */
  readonly speech: ChatCompletionAudioParam | undefined;
  /** Options of the web search that precedes the call of the engine. */
  readonly search: WebSearchOptions | undefined;
}

/** A request as the engine receives it, and what the server emulates for it. */
export interface GenerationPlan {
  /** The body with its inputs loaded, for engines that forward it. */
  readonly body: ChatCompletionCreateParams;
  readonly request: ChatRequest;
  readonly emulation: Emulation;
  /** Whether the server emulates any feature. If it does, the reply cannot be relayed unparsed. */
  readonly usesEmulation: boolean;
}

/**
 * Fills in the defaults of a request (API: Create chat completion) and decides what the server emulates.
 *
 * @param grammars Of the texts of the reply, if the server checks them.
 * @param findsStop Whether the server finds stop sequences for every engine, because engines do not say which of them ended a reply.
 */
export function normalise(
  body: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
  grammars?: OutputGrammars,
  findsStop = false,
): GenerationPlan {
  const { parameters, efforts } = capabilities;
  const n = body.n ?? 1;
  const stop = typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []);
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  const emulateStop = stop.length > 0 && (findsStop || parameters.stop === 'emulated');
  const limitSupport = body.max_completion_tokens == null ? parameters.max_tokens : parameters.max_completion_tokens;
  const emulateLimit = maxTokens !== undefined && limitSupport === 'emulated';
  // If the request has tools and its messages contain function calls, only the messages are converted.
  const emulateMessages = parameters.functions === 'emulated' && hasFunctions(body);
  const emulateFunctions = emulateMessages && body.functions !== undefined;
  const toolFields = emulateFunctions ? functionsAsTools(body) : body;
  const emulateCustom = emulatesCustomTools(capabilities) && hasCustomTools(body);
  const requestedTools = toolFields.tools ?? defaults.tools;
  const requestedChoice = toolFields.tool_choice ?? (requestedTools.length > 0 ? 'auto' : 'none');
  const describedTools = withDescribedGrammars(requestedTools, engineGrammars(capabilities));
  const tools = emulateCustom ? describedTools.map(toolAsFunction) : describedTools;
  const toolChoice = emulateCustom ? choiceAsFunction(requestedChoice) : requestedChoice;
  const emulateChoice = tools.length > 0 && toolChoice !== 'auto' && parameters.tool_choice === 'emulated';
  const restricted = emulateChoice ? restrictTools(tools, toolChoice, capabilities.tool_choices) : undefined;
  const singleToolCall = toolFields.parallel_tool_calls === false && parameters.parallel_tool_calls === 'emulated';
  const format = body.response_format ?? defaults.response_format;
  const promptedFormat = capabilities.response_formats.includes(format.type) ? undefined : format;
  const requiredTools = restricted?.requiredNames;
  const instructions = [
    ...(requiredTools ? [toolInstruction(requiredTools)] : []),
    ...(promptedFormat ? [formatInstruction(promptedFormat)] : []),
  ].join('\n');
  // Truncation and retries process one choice at a time.
  const emulateTruncation = emulateStop || emulateLimit || singleToolCall;
  const emulateN = n > 1 && (parameters.n === 'emulated' || emulateTruncation || requiredTools !== undefined);
  const requestedAudio = body.modalities?.includes('audio') ? (body.audio ?? undefined) : undefined;
  const speech = parameters.audio === 'emulated' ? requestedAudio : undefined;
  const search = parameters.web_search_options === 'emulated' ? body.web_search_options : undefined;
  const toolMessages = emulateMessages ? messagesWithTools(body.messages) : body.messages;
  const messages = emulateCustom ? toolMessages.map(callsAsFunctions) : toolMessages;
  return {
    body,
    usesEmulation:
      emulateN ||
      emulateTruncation ||
      emulateMessages ||
      emulateCustom ||
      emulateChoice ||
      (grammars ?? speech ?? search) !== undefined,
    emulation: {
      engineCalls: emulateN ? n : 1,
      convertsFunctions: emulateFunctions,
      customTools: new Set(emulateCustom ? requestedTools.filter(({ type }) => type === 'custom').map(toolName) : []),
      stop: emulateStop ? stop : [],
      maxTokens: emulateLimit ? maxTokens : undefined,
      singleToolCall,
      requiredTools,
      grammars,
      speech,
      search,
    },
    request: {
      ...passParameters(body),
      model: body.model,
      messages: instructions === '' ? messages : withInstruction(messages, instructions),
      n: emulateN ? 1 : n,
      stop: emulateStop ? [] : stop,
      max_completion_tokens: emulateLimit ? undefined : maxTokens,
      temperature: body.temperature ?? defaults.temperature,
      top_p: body.top_p ?? defaults.top_p,
      frequency_penalty: body.frequency_penalty ?? defaults.frequency_penalty,
      presence_penalty: body.presence_penalty ?? defaults.presence_penalty,
      logit_bias: body.logit_bias ?? defaults.logit_bias,
      logprobs: body.logprobs ?? defaults.logprobs,
      top_logprobs: body.top_logprobs ?? defaults.top_logprobs,
      // A model that declares no efforts receives the value of the request.
      reasoning_effort: body.reasoning_effort ?? efforts?.default,
      verbosity: body.verbosity ?? defaults.verbosity,
      service_tier: body.service_tier ?? defaults.service_tier,
      tools: restricted?.tools ?? tools,
      tool_choice: restricted?.tool_choice ?? toolChoice,
      parallel_tool_calls: singleToolCall || (toolFields.parallel_tool_calls ?? defaults.parallel_tool_calls),
      response_format: promptedFormat ? defaults.response_format : format,
      prediction: body.prediction ? contentText(body.prediction.content) : undefined,
      audio: speech ? undefined : requestedAudio,
      web_search_options: search ? undefined : body.web_search_options,
    },
  };
}

/** Converts the deprecated `functions` and `function_call` to tools (API: Create chat completion). */
interface Tooling {
  readonly tools: readonly ChatCompletionTool[] | undefined;
  readonly tool_choice: ToolChoice | undefined;
  readonly parallel_tool_calls: boolean | undefined;
}

/** Whether a request uses functions, in its parameters or in its messages. */
function hasFunctions({ functions, messages }: ChatCompletionCreateParams): boolean {
  if (functions !== undefined) return true;
  for (const message of messages) if (message.role === 'function' || functionCallOf(message)) return true;
  return false;
}

function functionsAsTools({ functions, function_call: choice }: ChatCompletionCreateParams): Tooling {
  return {
    tools: functions?.map((definition) => ({ type: 'function', function: definition })),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: choice } : choice,
    // A message can contain one function call only.
    parallel_tool_calls: false,
  };
}

/** Converts deprecated calls to tool calls and their results to tool messages. Each result belongs to the last call of its name. */
function messagesWithTools(messages: readonly ChatCompletionMessageParam[]): readonly ChatCompletionMessageParam[] {
  /** Calls without a result: name to ID. */
  const waiting = new Map<string, string>();
  return messages.map((message, index) => {
    const call = functionCallOf(message);
    if (message.role === 'assistant' && call) {
      const { function_call, tool_calls = [], ...rest } = message;
      const id = `call_function_${index}`;
      waiting.set(call.name, id);
      return { ...rest, tool_calls: [...tool_calls, { id, type: 'function' as const, function: call }] };
    }
    if (message.role !== 'function') return message;
    const id = waiting.get(message.name) ?? `call_function_${index}`;
    waiting.delete(message.name);
    return { role: 'tool' as const, tool_call_id: id, content: message.content ?? '' };
  });
}

function functionCallOf(message: ChatCompletionMessageParam): ChatCompletionAssistantMessageParam['function_call'] {
  return message.role === 'assistant' ? message.function_call : undefined;
}

/** The tools and the tool choice that the engine receives. */
interface RestrictedTools {
  readonly tools: readonly ChatCompletionTool[];
  readonly tool_choice: ToolChoice;
  /** Names of the tools of which one must be called, if the server has to enforce it because the engine does not support the choice. */
  readonly requiredNames: readonly string[] | undefined;
}

/**
 * Expresses a tool choice for an engine that supports only some of its forms (API: `tool_choice`): tools that must not be called are
 * not sent. Without tools, the choice is `none`.
 */
export function restrictTools(
  tools: readonly ChatCompletionTool[],
  choice: ToolChoice,
  forms: readonly ToolChoiceForm[],
): RestrictedTools {
  const restrictedTo = (
    tool_choice: ToolChoice,
    sentTools = tools,
    requiredNames?: readonly string[],
  ): RestrictedTools => ({
    tools: sentTools,
    tool_choice,
    requiredNames,
  });
  if (choice === 'auto') return restrictedTo(choice);
  if (forms.includes(typeof choice === 'string' ? choice : choice.type)) return restrictedTo(choice);
  if (choice === 'none') return restrictedTo('none', []);
  if (choice === 'required') return restrictedTo('auto', tools, tools.map(toolName));
  const { tools: allowed, isRequired } = toolPermission({ tools, tool_choice: choice, parallel_tool_calls: true });
  return restrictTools(allowed, isRequired ? 'required' : 'auto', forms);
}

/** Custom tools without the grammars that the engine does not support: they are described to the model, and the server checks its input. */
function withDescribedGrammars(
  tools: readonly ChatCompletionTool[],
  grammars: ChatCapabilities['grammars'],
): readonly ChatCompletionTool[] {
  const isDescribed = (tool: ChatCompletionTool): boolean =>
    tool.type === 'custom' &&
    tool.custom.format?.type === 'grammar' &&
    !grammars.includes(tool.custom.format.grammar.syntax);
  if (!tools.some(isDescribed)) return tools;
  return tools.map((tool) => {
    if (tool.type !== 'custom' || tool.custom.format?.type !== 'grammar' || !isDescribed(tool)) return tool;
    const { format, description, ...custom } = tool.custom;
    const sentences = [...(description === undefined ? [] : [description]), grammarInstruction(format.grammar)];
    return { ...tool, custom: { ...custom, description: sentences.join('\n') } };
  });
}

/** Whether a request has inputs that must be loaded or validated. Most requests have none and skip this step. */
export function hasInputs({ messages }: ChatCompletionCreateParams): boolean {
  return messages.some(
    (message) =>
      (message.role === 'user' && typeof message.content !== 'string') ||
      (message.role === 'assistant' && message.audio != null),
  );
}
