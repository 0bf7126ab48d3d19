import type { ChatCompletionCreateParamsBase } from '@modelwire/schema/types';
import type { SchemaSource } from '../schema/json-schema.ts';
import { responseFormat } from '../schema/response-format.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import { toToolParam } from '../tools/tool.ts';
import type { ParseTool } from '../tools/tool.ts';

type ReplacedFields = 'stream' | 'response_format' | 'tools' | 'functions' | 'function_call';

/** Body of Create chat completion, with schemas instead of JSON Schemas. */
export interface ParseParams<S extends StandardSchema, T extends readonly ParseTool[]> extends Omit<
  ChatCompletionCreateParamsBase,
  ReplacedFields
> {
  /** The schema of the reply. Without it, the reply is text. */
  readonly response_format?: SchemaSource<S>;
  readonly tools?: T;
}

type Untyped = ParseParams<StandardSchema, readonly ParseTool[]>;

/** The request body of the interface. Throws an `InputError` for a schema without a JSON Schema. */
export function toRequest({
  response_format,
  tools,
  ...rest
}: Untyped): Omit<ChatCompletionCreateParamsBase, 'stream'> {
  return {
    ...rest,
    ...(response_format !== undefined && { response_format: responseFormat(response_format) }),
    ...(tools !== undefined && tools.length > 0 && { tools: tools.map(toToolParam) }),
  };
}
