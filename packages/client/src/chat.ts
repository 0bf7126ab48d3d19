import { createChat } from '@modelwire/chat';
import type { ApiPromise, CallOptions, ChatClient, ChatCompletions, Transport } from '@modelwire/chat';
import { parse, streamParsed } from '@modelwire/chat/parse';
import type { Parsed, ParsedStream, ParseParams, ParseTool, StandardSchema } from '@modelwire/chat/parse';
import { runTools } from '@modelwire/chat/tools';
import type { RunnableTool, RunToolsOptions, RunToolsParams, ToolRun } from '@modelwire/chat/tools';

/** Chat completions with what works on their answers. */
export interface Completions extends ChatCompletions {
  /** An answer parsed by a schema; what a model may do (refuse, call, be cut) is an outcome and no exception. */
  parse<S extends StandardSchema = StandardSchema<string>, const T extends readonly ParseTool[] = readonly []>(
    params: ParseParams<S, T>,
    options?: CallOptions,
  ): ApiPromise<Parsed<S, T>>;
  /** `parse` streamed: what there is of the value, each time that more of it came. */
  streamParsed<S extends StandardSchema = StandardSchema<string>, const T extends readonly ParseTool[] = readonly []>(
    params: ParseParams<S, T>,
    options?: CallOptions,
  ): ParsedStream<S, T>;
  /** Asks the model, runs the tools that it calls, tells it what they gave, until it answers without calls. */
  runTools<S extends StandardSchema = StandardSchema<string>, const T extends readonly RunnableTool[] = []>(
    params: RunToolsParams<S, T>,
    options?: RunToolsOptions,
  ): ToolRun<S, T>;
}

export interface Chat extends ChatClient {
  readonly completions: Completions;
}

export function openChat(transport: Transport): Chat {
  const chat = createChat(transport);
  return {
    completions: {
      ...chat.completions,
      parse: (params, options) => parse(chat, params, options),
      streamParsed: (params, options) => streamParsed(chat, params, options),
      runTools: (params, options) => runTools(chat, params, options),
    },
  };
}
