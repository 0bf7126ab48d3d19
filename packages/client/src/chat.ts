import { createChat } from '@modelwire/chat';
import type { ApiPromise, CallOptions, ChatClient, ChatCompletions, Transport } from '@modelwire/chat';
import { parse, streamParsed } from '@modelwire/chat/parse';
import type { Parsed, ParsedStream, ParseParams, ParseTool, StandardSchema } from '@modelwire/chat/parse';
import { runTools } from '@modelwire/chat/tools';
import type { RunnableTool, RunToolsOptions, RunToolsParams, ToolRun } from '@modelwire/chat/tools';

/** Chat completions with helpers for parsing and tools. */
export interface Completions extends ChatCompletions {
  /** Creates a completion and parses it by a schema. A refusal, tool calls or a truncated reply are outcomes, not exceptions. */
  parse<S extends StandardSchema = StandardSchema<string>, const T extends readonly ParseTool[] = readonly []>(
    params: ParseParams<S, T>,
    options?: CallOptions,
  ): ApiPromise<Parsed<S, T>>;
  /** `parse` as a stream, which yields the partial value with each update. */
  streamParsed<S extends StandardSchema = StandardSchema<string>, const T extends readonly ParseTool[] = readonly []>(
    params: ParseParams<S, T>,
    options?: CallOptions,
  ): ParsedStream<S, T>;
  /** Runs the tools that the model calls and sends their results back, until the model replies without calls. */
  runTools<S extends StandardSchema = StandardSchema<string>, const T extends readonly RunnableTool[] = []>(
    params: RunToolsParams<S, T>,
    options?: RunToolsOptions,
  ): ToolRun<S, T>;
}

export interface Chat extends ChatClient {
  readonly completions: Completions;
}

export function createChatResource(transport: Transport): Chat {
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
