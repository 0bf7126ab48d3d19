import { JSON_SCHEMA_MAX_EXPANSION, JSON_SCHEMA_MAX_SCHEMAS } from '../limits.ts';
import { formatPath, type Path } from '../parsing/path.ts';
import { problem } from '../parsing/problem.ts';
import type { ChatCompletionCreateParamsBase } from '../types/requests.ts';
import { createSchemaCounter, type SchemaExcess } from './json-schema-size.ts';
import type { ChatRule } from './rule.ts';

type Schema = Readonly<Record<string, unknown>>;

/** All JSON Schemas of a request, with their paths. */
function schemasOf({
  response_format: format,
  tools = [],
  functions = [],
}: ChatCompletionCreateParamsBase): (readonly [Path, Schema])[] {
  const schemas: (readonly [Path, Schema])[] = [];
  if (format?.type === 'json_schema' && format.json_schema.schema) {
    schemas.push([['response_format', 'json_schema', 'schema'], format.json_schema.schema]);
  }
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function' || !tool.function.parameters) continue;
    schemas.push([['tools', index, 'function', 'parameters'], tool.function.parameters]);
  }
  for (const [index, { parameters }] of functions.entries()) {
    if (parameters) schemas.push([['functions', index, 'parameters'], parameters]);
  }
  return schemas;
}

const EXCESS_MESSAGES: Readonly<Record<SchemaExcess, string>> = {
  schemas: `the schemas of a request may contain at most ${JSON_SCHEMA_MAX_SCHEMAS} subschemas in total. Send fewer or smaller schemas`,
  expansion: `resolving '$ref', 'allOf', 'anyOf' and 'oneOf' gives more than ${JSON_SCHEMA_MAX_EXPANSION} schemas for one value. Write the combined schema out, or refer to each definition once`,
  circular:
    "a '$ref' refers to its own schema without a property or an array item in between, so that no value can be validated. Use it from within 'properties' or 'items'",
};

/** Limits of JSON Schemas, which the API does not specify: a small request must not cause unbounded work. */
export const jsonSchemaRules: readonly ChatRule[] = [
  {
    name: 'JSON Schemas have a limited size',
    section: 'Create chat completion',
    check(request) {
      const counter = createSchemaCounter(JSON_SCHEMA_MAX_SCHEMAS);
      for (const [path, schema] of schemasOf(request)) {
        const excess = counter.add(schema);
        if (excess) {
          const message = `Invalid schema in '${formatPath(path) ?? ''}': ${EXCESS_MESSAGES[excess]}.`;
          return problem('invalid_json_schema', path, message);
        }
      }
      return undefined;
    },
  },
];
