import { GrammarError } from '../errors.ts';
import { schemaOfConstant } from './constant.ts';
import type { Constraint } from './constraint.ts';
import {
  ANNOTATIONS,
  childPath,
  isJsonObject,
  readCount,
  readList,
  readNumber,
  readProperties,
  readRequired,
  readSchemas,
  readText,
  readTypes,
  TYPES,
} from './keywords.ts';
import type { JsonObject, TypeName } from './keywords.ts';

type Option = readonly Constraint[];

/** Up to this many schemas of `oneOf`, its negation includes values that match two of them. */
const MAX_PAIRED = 10;

/**
 * The negation of a schema as a disjunction of lists of constraints. Violations that no constraint can express are left out: every value
 * that satisfies the result violates the schema, but not the other way round.
 * @throws {GrammarError} if no violation can be expressed.
 */
export function negate(schema: unknown, path: string): Option[] {
  if (schema === true) return [];
  if (schema === false) return [[]];
  if (!isJsonObject(schema)) throw new GrammarError('syntax', 'a schema must be an object', { path });
  const options: Option[] = [];
  let skipped: string | undefined;
  for (const keyword of Object.keys(schema)) {
    const negations =
      schema[keyword] === undefined || ANNOTATIONS.has(keyword) ? [] : negateKeyword(keyword, schema, path);
    if (negations === undefined) skipped = keyword;
    else options.push(...negations);
  }
  if (options.length === 0 && skipped !== undefined) {
    const reason = `the negation of "${skipped}" cannot be enforced during generation; remove it`;
    throw new GrammarError('unsupported', reason, { path: childPath(path, skipped) });
  }
  return options;
}

const not = (schema: unknown, path: string): Constraint => ({ kind: 'not', schema, path });
const holds = (schema: unknown, path: string): Constraint => ({ kind: 'schema', schema, path });

/** `undefined` if the keyword restricts values in a way that cannot be negated. */
function negateKeyword(keyword: string, schema: JsonObject, path: string): Option[] | undefined {
  const at = childPath(path, keyword);
  const typed = (type: TypeName, rest: JsonObject): Option[] => [[holds({ type, ...rest }, path)]];
  const count = (): number => readCount(schema, keyword, path) ?? 0;
  const number = (): number => readNumber(schema, keyword, path) ?? 0;
  switch (keyword) {
    case 'type':
      return [[{ kind: 'types', types: otherTypes(readTypes(schema, path) ?? []) }]];
    case 'enum':
      return [excluding(readList(schema, 'enum', path) ?? [], at)];
    case 'const':
      return [excluding([schema['const']], at)];
    case 'not':
      return [[holds(schema['not'], at)]];
    case '$ref':
      return [[not({ $ref: schema['$ref'] }, path)]];
    case 'allOf':
      return (readSchemas(schema, keyword, path) ?? []).map((part, index) => [not(part, childPath(at, index))]);
    case 'anyOf':
      return [(readSchemas(schema, keyword, path) ?? []).map((part, index) => not(part, childPath(at, index)))];
    case 'oneOf':
      return negateOneOf(readSchemas(schema, keyword, path) ?? [], at);
    case 'if':
      return [
        ...(schema['then'] === undefined
          ? []
          : [[holds(schema['if'], at), not(schema['then'], childPath(path, 'then'))]]),
        ...(schema['else'] === undefined
          ? []
          : [[not(schema['if'], at), not(schema['else'], childPath(path, 'else'))]]),
      ];
    case 'then':
    case 'else':
      return [];
    case 'properties': {
      const properties = readProperties(schema, path) ?? {};
      return Object.keys(properties).map((name) => [
        { kind: 'mismatch', name, schema: properties[name], path: childPath(at, name) },
      ]);
    }
    case 'required':
      return [...readRequired(schema, path)].map((name) => [{ kind: 'absent', name, path: at }]);
    case 'minLength':
      return count() === 0 ? [] : typed('string', { maxLength: count() - 1 });
    case 'maxLength':
      return typed('string', { minLength: count() + 1 });
    case 'pattern':
      return [[{ kind: 'notPattern', source: readText(schema, keyword, path) ?? '', path: at }]];
    case 'minimum':
      return typed(
        'number',
        schema['exclusiveMinimum'] === true ? { maximum: number() } : { exclusiveMaximum: number() },
      );
    case 'maximum':
      return typed(
        'number',
        schema['exclusiveMaximum'] === true ? { minimum: number() } : { exclusiveMinimum: number() },
      );
    case 'exclusiveMinimum':
      return typeof schema[keyword] === 'boolean' ? [] : typed('number', { maximum: number() });
    case 'exclusiveMaximum':
      return typeof schema[keyword] === 'boolean' ? [] : typed('number', { minimum: number() });
    case 'multipleOf':
      return [[{ kind: 'notMultipleOf', divisor: number(), path: at }]];
    case 'minItems':
      return count() === 0 ? [] : typed('array', { maxItems: count() - 1 });
    case 'maxItems':
      return typed('array', { minItems: count() + 1 });
    case 'minProperties':
      return count() === 0 ? [] : typed('object', { maxProperties: count() - 1 });
    case 'maxProperties':
      return typed('object', { minProperties: count() + 1 });
    case 'items':
      if (Array.isArray(schema['items']) || schema['prefixItems'] !== undefined) return undefined;
      return [[{ kind: 'otherItem', schema: schema['items'], path: at }]];
    case 'contains':
      if (schema['minContains'] !== undefined || schema['maxContains'] !== undefined) return undefined;
      return typed('array', { items: { not: schema['contains'] } });
    case 'additionalProperties': {
      if (schema[keyword] === true) return [];
      const names = new Set(Object.keys(readProperties(schema, path) ?? {}));
      const patternProperties = schema['patternProperties'];
      const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
      return [[{ kind: 'otherMember', names, patterns, schema: schema[keyword], path: at }]];
    }
    case 'additionalItems':
      return schema[keyword] === true ? [] : undefined;
    case 'dependentRequired':
    case 'dependencies':
      return negateDependencies(schema[keyword], at);
    case 'format':
    case 'patternProperties':
    case 'propertyNames':
    case 'uniqueItems':
    case 'prefixItems':
    case 'minContains':
    case 'maxContains':
    case 'dependentSchemas':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
    case '$dynamicRef':
    case '$recursiveRef':
      return undefined;
    default:
      return [];
  }
}

/** Constraints that exclude values. Objects and arrays are excluded by the negation of a schema that only they match. */
function excluding(values: readonly unknown[], path: string): Constraint[] {
  const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
  const scalars = values.filter((value) => !isNested(value));
  const nested = values.filter(isNested).map((value) => not(schemaOfConstant(value), path));
  return scalars.length === 0 ? nested : [{ kind: 'excluded', values: scalars, path }, ...nested];
}

function negateOneOf(parts: readonly unknown[], path: string): Option[] {
  const none = parts.map((part, index) => not(part, childPath(path, index)));
  if (parts.length > MAX_PAIRED) return [none];
  const pairs = parts.flatMap((part, index) =>
    parts
      .slice(index + 1)
      .map((other, offset) => [holds(part, childPath(path, index)), holds(other, childPath(path, index + 1 + offset))]),
  );
  return [none, ...pairs];
}

function negateDependencies(dependencies: unknown, path: string): Option[] | undefined {
  if (!isJsonObject(dependencies)) return undefined;
  const options: Option[] = [];
  for (const name of Object.keys(dependencies)) {
    const needs = dependencies[name];
    const present = holds({ type: 'object', required: [name] }, path);
    if (!Array.isArray(needs)) options.push([present, not(needs, childPath(path, name))]);
    else {
      for (const other of needs) {
        if (typeof other === 'string') options.push([present, { kind: 'absent', name: other, path }]);
      }
    }
  }
  return options;
}

/** All types except the given ones. There is no type for non-integer numbers, so that `integer` also excludes these. */
export function otherTypes(types: readonly TypeName[]): TypeName[] {
  const numeric = types.includes('number') || types.includes('integer');
  return TYPES.filter((type) => type !== 'integer' && !types.includes(type) && !(type === 'number' && numeric));
}
