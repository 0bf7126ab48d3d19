import { basename, extname } from 'node:path';
import type { ResponseFormat } from '@modelwire/client';
import { isInlineJson, isRecord, readJsonObject } from '../json.ts';
import type { JsonObject } from '../json.ts';

type JsonSchemaFormat = Extract<ResponseFormat, { readonly type: 'json_schema' }>;

/** `--schema`: a file or inline JSON that contains a JSON Schema or the `json_schema` object of `response_format`. */
export async function readSchema(schemaOption: string, cwd: string): Promise<JsonSchemaFormat> {
  const schema = await readJsonObject('--schema', schemaOption, cwd);
  const { name, strict, description } = schema;
  if (typeof name === 'string' && isRecord(schema['schema'])) {
    return {
      type: 'json_schema',
      json_schema: {
        name,
        schema: schema['schema'],
        ...(typeof description === 'string' && { description }),
        ...(typeof strict === 'boolean' && { strict }),
      },
    };
  }
  const own = isInlineJson(schemaOption) ? titleOf(schema) : basename(schemaOption, extname(schemaOption));
  return {
    type: 'json_schema',
    json_schema: { name: own.replace(/[^\w-]/g, '_').slice(0, 64) || 'answer', schema, strict: isClosed(schema) },
  };
}

function titleOf({ title }: JsonObject): string {
  return typeof title === 'string' ? title : 'answer';
}

/** Whether `strict` is possible: all objects are closed and all of their fields are required. */
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isRecord(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (isRecord(properties)) {
    const names = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || Object.keys(properties).some((name) => !names.includes(name))) return false;
    if (!Object.values(properties).every(isClosed)) return false;
  }
  return Object.entries(schema).every(([key, value]) => key === 'properties' || key === 'enum' || isClosed(value));
}
