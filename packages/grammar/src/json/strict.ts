import { GrammarError } from '../errors.ts';
import {
  ANNOTATIONS,
  childPath,
  isJsonObject,
  OTHER_KEYWORDS,
  readList,
  readProperties,
  readRequired,
  readTypes,
  UNSUPPORTED_KEYWORDS,
  STRICT_KEYWORDS,
} from './keywords.ts';
import type { JsonObject } from './keywords.ts';

/** Limits of the strict subset, as documented for structured outputs. */
export const STRICT_LIMITS = {
  /** Properties of all objects in total. */
  properties: 5000,
  /** Levels of nested objects and arrays, including the root. A `$ref` does not add levels. */
  nesting: 10,
  /** Characters of all property names, definition names, and strings in `enum` and `const`, in total. */
  characters: 120_000,
  /** Values of all `enum`s in total. */
  enumValues: 1000,
  /** Characters of a single `enum` that has more than 250 values. */
  longEnumCharacters: 15_000,
} as const;

type Count = { properties: number; characters: number; enumValues: number; levels: number };

/** Maximum nesting of `anyOf`, to which no documented limit applies. */
const MAX_LEVELS = 300;

/** @throws GrammarError with the path of the first violation if a schema is not in the strict subset. */
export function checkStrict(root: unknown): void {
  const count: Count = { properties: 0, characters: 0, enumValues: 0, levels: 0 };
  if (!isJsonObject(root)) throw new GrammarError('syntax', 'a schema must be an object', { path: '#' });
  if (root['type'] !== 'object') {
    const reason = 'the root schema of strict mode must have "type": "object"; wrap anything else in a property';
    throw new GrammarError('unsupported', reason, { path: root['type'] === undefined ? '#' : '#/type' });
  }
  checkSchema(root, '#', 0, count);
}

function assertAtMost(path: string, count: number, max: number, what: string): void {
  if (count > max) throw new GrammarError('limit', `strict mode allows at most ${max} ${what}`, { path });
}

function addCharacters(count: Count, texts: readonly string[], path: string): void {
  for (const text of texts) count.characters += text.length;
  assertAtMost(path, count.characters, STRICT_LIMITS.characters, 'characters of names and enum values in total');
}

function checkSchema(schema: unknown, path: string, depth: number, count: Count): void {
  if (++count.levels > MAX_LEVELS) {
    throw new GrammarError('limit', `schemas can be nested at most ${MAX_LEVELS} levels deep`, { path });
  }
  checkOne(schema, path, depth, count);
  count.levels--;
}

function checkOne(schema: unknown, path: string, depth: number, count: Count): void {
  if (!isJsonObject(schema)) {
    const reason = 'strict mode requires schemas to be objects that describe the value';
    throw new GrammarError('unsupported', reason, { path });
  }
  checkKeywords(schema, path);
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = schema[keyword];
    if (definitions === undefined) continue;
    if (!isJsonObject(definitions)) {
      throw new GrammarError('syntax', `${keyword} must be an object of schemas`, { path: childPath(path, keyword) });
    }
    addCharacters(count, Object.keys(definitions), childPath(path, keyword));
    for (const [name, definition] of Object.entries(definitions)) {
      checkSchema(definition, childPath(path, keyword, name), 0, count);
    }
  }
  const restricting = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword));
  const combining = ['$ref', 'anyOf'].find((keyword) => schema[keyword] !== undefined);
  if (combining !== undefined) {
    const other = restricting.find((keyword) => keyword !== combining);
    if (other !== undefined) {
      const reason = `${combining} cannot be combined in strict mode: move "${other}" into the schema it refers to`;
      throw new GrammarError('unsupported', reason, { path: childPath(path, other) });
    }
    (readList(schema, 'anyOf', path) ?? []).forEach((option, index) => {
      checkSchema(option, childPath(path, 'anyOf', index), depth, count);
    });
    return;
  }
  checkValues(schema, path, count);
  const types = readTypes(schema, path);
  if (types === undefined && schema['enum'] === undefined && schema['const'] === undefined) {
    const reason = 'strict mode requires a "type" (or anyOf, $ref, enum or const) in every schema';
    throw new GrammarError('unsupported', reason, { path });
  }
  const nested = types?.some((type) => type === 'object' || type === 'array') === true ? depth + 1 : depth;
  assertAtMost(path, nested, STRICT_LIMITS.nesting, 'nested objects and arrays');
  if (types?.includes('object') === true) checkObject(schema, path, nested, count);
  if (types?.includes('array') === true) {
    if (schema['items'] === undefined) {
      throw new GrammarError('unsupported', 'strict mode requires "items" in every array', { path });
    }
    checkSchema(schema['items'], childPath(path, 'items'), nested, count);
  }
}

function checkKeywords(schema: JsonObject, path: string): void {
  for (const keyword of Object.keys(schema)) {
    if (STRICT_KEYWORDS.has(keyword) || ANNOTATIONS.has(keyword)) continue;
    const known = OTHER_KEYWORDS.has(keyword) || UNSUPPORTED_KEYWORDS.has(keyword);
    const reason = known
      ? `"${keyword}" is not supported in strict mode`
      : `"${keyword}" is not a keyword of strict mode`;
    throw new GrammarError('unsupported', `${reason}; remove it`, { path: childPath(path, keyword) });
  }
}

function checkObject(schema: JsonObject, path: string, depth: number, count: Count): void {
  const properties = readProperties(schema, path) ?? {};
  const names = Object.keys(properties);
  if (schema['additionalProperties'] !== false) {
    const reason = 'strict mode requires "additionalProperties": false in every object';
    throw new GrammarError('unsupported', reason, { path: childPath(path, 'additionalProperties') });
  }
  const required = readRequired(schema, path);
  const missing = names.find((name) => !required.has(name));
  if (missing !== undefined) {
    const reason = `strict mode requires every property in "required", and "${missing}" is missing; to make a value optional, allow null`;
    throw new GrammarError('unsupported', reason, { path: childPath(path, 'required') });
  }
  const unknown = [...required].find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) {
    const reason = `"${unknown}" is required but not a property; add it to "properties"`;
    throw new GrammarError('unsupported', reason, { path: childPath(path, 'required') });
  }
  count.properties += names.length;
  assertAtMost(childPath(path, 'properties'), count.properties, STRICT_LIMITS.properties, 'properties in total');
  addCharacters(count, names, childPath(path, 'properties'));
  for (const name of names) checkSchema(properties[name], childPath(path, 'properties', name), depth, count);
}

function checkValues(schema: JsonObject, path: string, count: Count): void {
  const values = readList(schema, 'enum', path) ?? [];
  const at = childPath(path, schema['enum'] === undefined ? 'const' : 'enum');
  const texts = (schema['const'] === undefined ? values : [...values, schema['const']]).map((value) => {
    if (typeof value === 'object' && value !== null) {
      throw new GrammarError('unsupported', 'strict mode allows only strings, numbers, booleans and null here', {
        path: at,
      });
    }
    return typeof value === 'string' ? value : '';
  });
  addCharacters(count, texts, at);
  count.enumValues += values.length;
  assertAtMost(at, count.enumValues, STRICT_LIMITS.enumValues, 'enum values in total');
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (values.length > 250)
    assertAtMost(at, characters, STRICT_LIMITS.longEnumCharacters, 'characters in an enum of more than 250 values');
}
