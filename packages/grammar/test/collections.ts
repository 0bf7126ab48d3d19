import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRICT_KEYWORDS } from '../src/json/keywords.ts';

/** The names of the .json files of a folder and its subfolders. */
export function schemaFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted();
}

export function readSchema(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Converts a schema to a similar one in the strict subset. */
export function toStrictSchema(root: unknown): unknown {
  const schema = strictSchema(root);
  if (schema['type'] === 'object') return schema;
  const { $defs, definitions, ...value } = schema;
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return { ...strictSchema({ type: 'object', properties: { value } }), ...shared };
}

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const each = (schemas: unknown): Schema =>
  Object.fromEntries(Object.entries(isSchema(schemas) ? schemas : {}).map(([name, one]) => [name, strictSchema(one)]));

function strictSchema(given: unknown): Schema {
  const { $defs, definitions, ...schema } = isSchema(given) ? given : {};
  const shared = { ...($defs !== undefined && { $defs: each($defs) }) };
  if (definitions !== undefined) Object.assign(shared, { definitions: each(definitions) });
  if (schema['$ref'] !== undefined) return { $ref: schema['$ref'], ...shared };
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return { anyOf: options.map(strictSchema), ...shared };
  const kept: Schema = Object.fromEntries(Object.entries(schema).filter(([keyword]) => STRICT_KEYWORDS.has(keyword)));
  if (kept['type'] === undefined && kept['enum'] === undefined && kept['const'] === undefined) {
    kept['type'] = kept['properties'] !== undefined ? 'object' : kept['items'] !== undefined ? 'array' : 'string';
  }
  const types = [kept['type']].flat();
  if (types.includes('array')) kept['items'] = strictSchema(kept['items']);
  if (types.includes('object')) {
    const properties = each(kept['properties']);
    Object.assign(kept, { properties, additionalProperties: false, required: Object.keys(properties) });
  }
  return { ...kept, ...shared };
}

/** The schema for the reference validator, which reads all drafts as the latest one. */
export function forValidator(schema: unknown): object {
  return { ...(schema as object), $schema: undefined, $async: undefined };
}
