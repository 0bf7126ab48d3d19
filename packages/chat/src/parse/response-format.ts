import type { ResponseFormatJsonSchema } from '@modelwire/schema/types';
import { jsonSchemaOf } from '@modelwire/core/internal/tools';
import type { SchemaSource } from '@modelwire/core/internal/tools';

/** The `response_format` of a schema (API: Structured outputs). */
export function responseFormat(source: SchemaSource): ResponseFormatJsonSchema {
  const { name, description, strict = true } = source;
  const schema = jsonSchemaOf(source);
  return {
    type: 'json_schema',
    json_schema: { name, ...(description !== undefined && { description }), schema, strict },
  };
}
