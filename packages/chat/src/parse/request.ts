import type { ChatCompletionCreateParamsBase } from '@modelwire/schema/types';
import type { SchemaSource } from '../schema/json-schema.ts';
import { responseFormat } from '../schema/response-format.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import { toolParam } from '../tools/tool.ts';
import type { ParseTool } from '../tools/tool.ts';

type Replaced = 'stream' | 'response_format' | 'tools' | 'functions' | 'function_call';

/** Body of Create chat completion, with schemas in place of their JSON. */
export interface ParseParams<S extends StandardSchema, T extends readonly ParseTool[]> extends Omit<
  ChatCompletionCreateParamsBase,
  Replaced
> {
  /** The schema of the answer; without it the answer is text. */
  readonly response_format?: SchemaSource<S>;
  readonly tools?: T;
}

type Untyped = ParseParams<StandardSchema, readonly ParseTool[]>;

/** The body as the interface has it. Throws an `InputError` for a schema that cannot be sent. */
export function requestOf({
  response_format,
  tools,
  ...rest
}: Untyped): Omit<ChatCompletionCreateParamsBase, 'stream'> {
  return {
    ...rest,
    ...(response_format !== undefined && { response_format: responseFormat(response_format) }),
    ...(tools !== undefined && tools.length > 0 && { tools: tools.map(toolParam) }),
  };
}
