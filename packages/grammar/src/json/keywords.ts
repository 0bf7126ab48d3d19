import { GrammarError } from '../errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Not in all type libraries and runtimes. */
const json: JSON & { readonly isRawJSON?: (value: unknown) => boolean } = JSON;

/** Whether a value is a number of `JSON.rawJSON`, which a double does not hold exactly. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON?.(value) === true;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

export const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
export type TypeName = (typeof TYPES)[number];

/** Keywords that do not affect validity. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Enforced in every mode. */
export const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  '$ref',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

/** Enforced only in non-strict mode. */
export const OTHER_KEYWORDS: ReadonlySet<string> = new Set([
  'allOf',
  'oneOf',
  'minLength',
  'maxLength',
  'prefixItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'additionalItems',
]);

/** Rejected in every mode because they cannot be enforced during generation. */
export const UNSUPPORTED_KEYWORDS: ReadonlySet<string> = new Set([
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
]);

/** Appends reference tokens to a JSON pointer. */
export function childPath(path: string, ...parts: readonly (string | number)[]): string {
  let at = path;
  for (const part of parts) at += `/${typeof part === 'string' ? escaped(part) : part}`;
  return at;
}

function escaped(part: string): string {
  return /[~/]/.test(part) ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part;
}

function fail(path: string, keyword: string, requirement: string): never {
  throw new GrammarError('syntax', `${keyword} ${requirement}`, { path: childPath(path, keyword) });
}

export function readNumber(schema: JsonObject, keyword: string, path: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  const number = isRawNumber(value) ? Number(JSON.stringify(value)) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return fail(path, keyword, 'must be a number');
  // Numbers with bounds are never generated beyond 2^53, where the rounding of a bound has no effect.
  if (isRawNumber(value) && number !== 0 && Math.abs(number) <= Number.MAX_SAFE_INTEGER)
    throw inexactNumber(value, childPath(path, keyword));
  return number;
}

/** The error for a number that cannot be kept exactly. */
export function inexactNumber(value: unknown, path: string): GrammarError {
  const digits = JSON.stringify(value);
  const shown = digits.length > 40 ? `${digits.slice(0, 39)}…` : digits;
  return new GrammarError('unsupported', `the number ${shown} cannot be represented exactly as a double`, { path });
}

export function readCount(schema: JsonObject, keyword: string, path: string): number | undefined {
  const value = readNumber(schema, keyword, path);
  if (value !== undefined && (!Number.isInteger(value) || value < 0))
    fail(path, keyword, 'must be an integer of at least 0');
  return value;
}

export function readText(schema: JsonObject, keyword: string, path: string): string | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : fail(path, keyword, 'must be a string');
}

export function readList(schema: JsonObject, keyword: string, path: string): readonly unknown[] | undefined {
  const value: unknown = schema[keyword];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return fail(path, keyword, 'must be an array');
  const list: readonly unknown[] = value;
  return list;
}

export function readSchemas(schema: JsonObject, keyword: string, path: string): readonly unknown[] | undefined {
  const list = readList(schema, keyword, path);
  if (list?.length === 0) fail(path, keyword, 'must have at least one schema');
  return list;
}

export function readProperties(schema: JsonObject, path: string): JsonObject | undefined {
  const value = schema['properties'];
  if (value === undefined) return undefined;
  return isJsonObject(value) ? value : fail(path, 'properties', 'must be an object of schemas');
}

export function readRequired(schema: JsonObject, path: string): ReadonlySet<string> {
  const names = (readList(schema, 'required', path) ?? []).map((name) =>
    typeof name === 'string' ? name : fail(path, 'required', 'must be an array of property names'),
  );
  return new Set(names);
}

/** The types of a schema; `undefined` if it has no `type`. */
export function readTypes(schema: JsonObject, path: string): readonly TypeName[] | undefined {
  const value = schema['type'];
  if (value === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) fail(path, 'type', 'must have at least one type');
  return names.map(
    (name) => TYPES.find((known) => known === name) ?? fail(path, 'type', `must be one of ${TYPES.join(', ')}`),
  );
}
