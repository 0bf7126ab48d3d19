import type { SchemaSource, StandardSchema } from '@modelwire/core/internal/tools';
import type { ChatCompletionCreateParamsBase } from '@modelwire/schema/types';
import { responseFormat } from './response-format.ts';
import { toToolParam } from './tool-param.ts';
import type { ParseTool } from './tool-param.ts';

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

/** The request body of the API. Throws an `InputError` for a schema without a JSON Schema. */
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
