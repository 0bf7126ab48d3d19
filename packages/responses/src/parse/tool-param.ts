import { isSchemaTool, jsonSchemaOf } from '@modelwire/core/internal/tools';
import type { CustomTool, SchemaTool } from '@modelwire/core/internal/tools';
import type { ResponseCustomTool, ResponseTool } from '@modelwire/schema/types';

/** A function tool with a schema, a custom tool, or a tool of the API, which is sent unchanged. */
export type ParseTool = SchemaTool | ResponseTool;

/** Converts a tool to the tool of the API. */
export function toToolParam(source: ParseTool): ResponseTool {
  if (!isSchemaTool(source)) return source;
  const { name, description } = source;
  const named = { name, ...(description !== undefined && { description }) };
  if (!('parameters' in source)) return { type: 'custom', ...named, ...formatOf(source) };
  const { strict = true } = source;
  return { type: 'function', ...named, parameters: jsonSchemaOf({ ...source, schema: source.parameters }), strict };
}

/** A grammar is not nested, unlike in chat completions. */
function formatOf({ format }: CustomTool): Pick<ResponseCustomTool, 'format'> {
  if (format === undefined) return {};
  return { format: format.type === 'grammar' ? { type: 'grammar', ...format.grammar } : format };
}
