import { matchesDfa } from '../automaton/dfa.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import { call, choice, token } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import type { RuleDraft } from '../network/build.ts';
import { compileArray } from './array.ts';
import {
  below,
  isJsonObject,
  OTHER_KEYWORDS,
  readList,
  readNumber,
  readSchemas,
  readText,
  readTypes,
  REFUSED_KEYWORDS,
  STRICT_KEYWORDS,
} from './keywords.ts';
import type { JsonObject, TypeName } from './keywords.ts';
import { mergeSchemas } from './merge.ts';
import { areDisjoint } from './disjoint.ts';
import type { NumberRange } from './number.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { compileObject } from './object.ts';
import { resolvePointer } from './pointer.ts';
import { createTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';

const MAX_DEPTH = 500;
/** Different schemas are compared in pairs. */
const MAX_ONE_OF = 200;
/** All alternatives are active at once. */
const MAX_ANY_OF = 1000;
/** The cost of one schema besides its automata, in steps of work. */
const VALUE_WORK = 150;
/** The cost of a constant that is generated and validated against the other keywords. */
const CONSTANT_WORK = 8;
const FIT_WORK = 50;

export function createSchemaCompiler(root: unknown, budget: Budget): SchemaCompiler {
  const tokens = createTokens(budget);
  const rules: RuleDraft[] = [];
  const referred = new Map<string, number>();
  let depth = 0;

  const newRule = (name: string): number => rules.push({ name, node: choice() }) - 1;
  const define = (rule: number, name: string, node: Node): void => {
    rules[rule] = { name, node };
  };

  /** A referenced schema is one rule, combined with other keywords of the reference. */
  const refer = (pointer: string, others: JsonObject, path: string): Node => {
    const restricted = restricts(others);
    const key = restricted ? `${pointer} ${JSON.stringify(others)}` : pointer;
    let rule = referred.get(key);
    if (rule === undefined) {
      const target = resolvePointer(root, pointer, below(path, '$ref'));
      rule = newRule(pointer);
      referred.set(key, rule);
      const schema = restricted ? mergeSchemas(target, others, path, budget) : target;
      define(rule, pointer, compiler.value(schema, restricted ? path : pointer));
    }
    return call(rule);
  };

  const anyRules = new Map<string, number>();
  const any = (kind: 'value' | 'array' | 'object'): Node => {
    let rule = anyRules.get(kind);
    if (rule === undefined) {
      rule = newRule(`any ${kind}`);
      anyRules.set(kind, rule);
      const types: TypeName[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];
      const node =
        kind === 'value'
          ? choice(...types.map((type) => ofType(type, {}, '#')))
          : kind === 'array'
            ? compileArray(compiler, { items: true }, '#')
            : compileObject(compiler, { additionalProperties: true }, '#');
      define(rule, `any ${kind}`, node);
    }
    return call(rule);
  };

  const ofType = (type: TypeName, schema: JsonObject, path: string): Node => {
    switch (type) {
      case 'null':
        return token(tokens.literal('null'));
      case 'boolean':
        return token(tokens.oneOf(['true', 'false']));
      case 'string':
        return token(tokens.string(schema, path));
      case 'number':
      case 'integer':
        return token(numberToken(tokens, schema, type === 'integer', path));
      case 'array':
        return isFree(schema, ARRAY_KEYWORDS) ? any('array') : compileArray(compiler, schema, path);
      case 'object':
        return isFree(schema, OBJECT_KEYWORDS) ? any('object') : compileObject(compiler, schema, path);
    }
  };

  const whole = (schema: JsonObject, path: string): Node => {
    checkKeywords(schema, path);
    const reference = readText(schema, '$ref', path);
    if (reference !== undefined) return refer(reference, without(schema, '$ref'), path);
    const all = readSchemas(schema, 'allOf', path);
    if (all) {
      const merged = all.reduce<unknown>(
        (sum, part, index) => mergeSchemas(sum, inlined(root, part, below(path, 'allOf', index), budget), path, budget),
        without(schema, 'allOf'),
      );
      return compiler.value(merged, path);
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const options = readSchemas(schema, keyword, path);
      if (!options) continue;
      const base = without(schema, keyword);
      const most = keyword === 'oneOf' ? MAX_ONE_OF : MAX_ANY_OF;
      if (options.length > most) {
        throw new GrammarError('limit', `${keyword} has at most ${most} schemas`, { path: below(path, keyword) });
      }
      if (
        keyword === 'oneOf' &&
        !areDisjoint(
          options.map((option) => inlined(root, option, path, budget)),
          budget,
        )
      ) {
        const reason =
          'oneOf is supported where no value can fit two of its schemas: differing types, or a differing constant in a required property; else use anyOf';
        throw new GrammarError('unsupported', reason, { path: below(path, keyword) });
      }
      return choice(
        ...options.map((option, index) => {
          const at = below(path, keyword, index);
          if (!restricts(base)) return compiler.value(option, at);
          return compiler.value(mergeSchemas(base, inlined(root, option, at, budget), at, budget), at);
        }),
      );
    }
    if (schema['enum'] !== undefined || schema['const'] !== undefined) return token(constants(schema, path));
    const types = readTypes(schema, path) ?? impliedTypes(schema);
    if (types === undefined) return any('value');
    return choice(...withoutDoubles(types).map((type) => ofType(type, schema, path)));
  };

  const constants = (schema: JsonObject, path: string) => {
    const given = schema['const'] === undefined ? [] : [schema['const']];
    const listed = readList(schema, 'enum', path);
    budget.work(CONSTANT_WORK * (listed?.length ?? 1));
    const only = JSON.stringify(given[0]);
    const values =
      listed === undefined ? given : given.length === 0 ? listed : listed.filter((v) => JSON.stringify(v) === only);
    const types = readTypes(schema, path);
    const rest = without(without(schema, 'enum'), 'const');
    const written = values
      .filter((value) => types === undefined || types.some((type) => isOfType(value, type)))
      .filter((value) => fits(value, rest, path))
      .map((value) => JSON.stringify(value));
    const at = below(path, listed === undefined ? 'const' : 'enum');
    if (written.length === 0)
      throw new GrammarError('empty', 'none of these values is valid for the rest of the schema', { path: at });
    return tokens.oneOf([...new Set(written)]);
  };

  /** Whether a constant is valid for the other keywords. */
  const fits = (value: unknown, schema: JsonObject, path: string): boolean => {
    if (typeof value === 'string') {
      if (isFree(schema, STRING_KEYWORDS)) return true;
      budget.work(FIT_WORK + value.length);
      return matchesDfa(tokens.string(schema, path).dfa, JSON.stringify(value));
    }
    if (typeof value === 'number') {
      if (isFree(schema, NUMBER_KEYWORDS)) return true;
      budget.work(FIT_WORK);
      return matchesDfa(numberToken(tokens, schema, Number.isInteger(value), path).dfa, JSON.stringify(value));
    }
    if (typeof value !== 'object' || value === null) return true;
    const keyword = [...OBJECT_KEYWORDS, ...ARRAY_KEYWORDS].find((name) => schema[name] !== undefined);
    if (keyword === undefined) return true;
    const reason = `"${keyword}" beside an enum or const of objects or arrays is not supported; remove it`;
    throw new GrammarError('unsupported', reason, { path: below(path, keyword) });
  };

  const compiler: SchemaCompiler = {
    tokens,
    rules,
    any,
    value(schema, path) {
      budget.work(VALUE_WORK);
      if (schema === true) return any('value');
      if (schema === false) throw new GrammarError('empty', 'false allows no value', { path });
      if (!isJsonObject(schema)) throw new GrammarError('syntax', 'a schema must be an object', { path });
      if (++depth > MAX_DEPTH) throw new GrammarError('limit', `schemas nest at most ${MAX_DEPTH} deep`, { path });
      const node = whole(schema, path);
      depth--;
      return node;
    },
    once(schema, path) {
      const node = compiler.value(schema, path);
      if (node.kind === 'token' || node.kind === 'rule') return node;
      const rule = newRule(path);
      define(rule, path, node);
      return call(rule);
    },
  };
  return compiler;
}

const STRING_KEYWORDS = ['pattern', 'format', 'minLength', 'maxLength'];
const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ARRAY_KEYWORDS = ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'];
const OBJECT_KEYWORDS = [
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
];

function isFree(schema: JsonObject, keywords: readonly string[]): boolean {
  return keywords.every((keyword) => schema[keyword] === undefined);
}

/** Without a type, the keywords imply it: stricter than JSON Schema, never looser. */
function impliedTypes(schema: JsonObject): TypeName[] | undefined {
  const implied: TypeName[] = [];
  if (!isFree(schema, OBJECT_KEYWORDS)) implied.push('object');
  if (!isFree(schema, ARRAY_KEYWORDS)) implied.push('array');
  if (!isFree(schema, STRING_KEYWORDS)) implied.push('string');
  if (!isFree(schema, NUMBER_KEYWORDS)) implied.push('number');
  return implied.length === 0 ? undefined : implied;
}

function withoutDoubles(types: readonly TypeName[]): TypeName[] {
  return [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number'));
}

function numberToken(tokens: Tokens, schema: JsonObject, integer: boolean, path: string) {
  const range: NumberRange = { integer };
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const) {
    const bound = readNumber(schema, keyword, path);
    if (bound !== undefined) range[keyword] = bound;
  }
  return tokens.number(range, path);
}

export function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

/** Whether a schema restricts values. */
export function restricts(schema: JsonObject): boolean {
  return Object.keys(schema).some(
    (key) => STRICT_KEYWORDS.has(key) || OTHER_KEYWORDS.has(key) || REFUSED_KEYWORDS.has(key),
  );
}

/** The schema itself if a part of a combination is a reference. */
function inlined(root: unknown, part: unknown, path: string, budget: Budget): unknown {
  let current = part;
  for (let hops = 0; isJsonObject(current); hops++) {
    const reference = readText(current, '$ref', path);
    if (reference === undefined) return current;
    if (hops > 50) throw new GrammarError('limit', 'circular references without a value', { path });
    const target = resolvePointer(root, reference, path);
    const others = without(current, '$ref');
    current = restricts(others) ? mergeSchemas(target, others, path, budget) : target;
  }
  return current;
}

function checkKeywords(schema: JsonObject, path: string): void {
  const refused = Object.keys(schema).find((keyword) => REFUSED_KEYWORDS.has(keyword));
  if (refused !== undefined) {
    const reason = `"${refused}" cannot be enforced during generation; remove it`;
    throw new GrammarError('unsupported', reason, { path: below(path, refused) });
  }
}

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
