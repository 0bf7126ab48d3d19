import { isSchemaTool, jsonSchemaOf } from '@modelwire/core/internal/tools';
import type { SchemaTool } from '@modelwire/core/internal/tools';
import type { ChatCompletionTool } from '@modelwire/schema/types';

/** A function tool with a schema, a custom tool, or a tool of the API, which is sent unchanged. */
export type ParseTool = SchemaTool | ChatCompletionTool;

/** Converts a tool to the tool of the API. */
export function toToolParam(source: ParseTool): ChatCompletionTool {
  if (!isSchemaTool(source)) return source;
  const { name, description } = source;
  const named = { name, ...(description !== undefined && { description }) };
  if (!('parameters' in source)) {
    return { type: 'custom', custom: { ...named, ...(source.format !== undefined && { format: source.format }) } };
  }
  const { strict = true } = source;
  const parameters = jsonSchemaOf({ ...source, schema: source.parameters });
  return { type: 'function', function: { ...named, parameters, strict } };
}
