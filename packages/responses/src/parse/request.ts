import { jsonSchemaOf } from '@modelwire/core/internal/tools';
import type { SchemaSource, StandardSchema } from '@modelwire/core/internal/tools';
import type { ResponseCreateParamsBase } from '@modelwire/schema/types';
import { toToolParam } from './tool-param.ts';
import type { ParseTool } from './tool-param.ts';

type TextOptions = NonNullable<ResponseCreateParamsBase['text']>;

export interface ParseTextOptions<S extends StandardSchema> extends Omit<TextOptions, 'format'> {
  /** The schema of the reply. Without it, the reply is text. */
  readonly format?: SchemaSource<S>;
}

/** Body of Create response, with schemas instead of JSON Schemas. */
export interface ParseParams<S extends StandardSchema, T extends readonly ParseTool[]> extends Omit<
  ResponseCreateParamsBase,
  'stream' | 'background' | 'text' | 'tools'
> {
  readonly text?: ParseTextOptions<S>;
  readonly tools?: T;
}

type Untyped = ParseParams<StandardSchema, readonly ParseTool[]>;

/** The request body of the API. Throws an `InputError` for a schema without a JSON Schema. */
export function toRequest({ text, tools = [], ...rest }: Untyped): Omit<ResponseCreateParamsBase, 'stream'> {
  return {
    ...rest,
    ...(text && { text: textOf(text) }),
    ...(tools.length > 0 && { tools: tools.map(toToolParam) }),
  };
}

function textOf({ format, ...rest }: ParseTextOptions<StandardSchema>): TextOptions {
  if (format === undefined) return rest;
  const { name, description, strict = true } = format;
  const schema = jsonSchemaOf(format);
  return {
    ...rest,
    format: { type: 'json_schema', name, ...(description !== undefined && { description }), schema, strict },
  };
}
