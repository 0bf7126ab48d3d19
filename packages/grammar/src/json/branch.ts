import { GrammarError } from '../errors.ts';
import {
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
} from './keywords.ts';
import type { JsonObject, TypeName } from './keywords.ts';
import type { Constraint } from './constraint.ts';
import type { NumberRange } from './number.ts';

export type Located = { readonly source: string; readonly path: string };

/** The limits on strings. */
export type TextLimits = {
  readonly patterns: readonly Located[];
  readonly notPatterns: readonly Located[];
  readonly formats: readonly Located[];
  readonly min: number;
  readonly max: number;
  /** Strings that are not allowed. */
  readonly excluded: readonly string[];
};

/** The keywords of one schema about the members of an object. */
export type ObjectPart = {
  readonly path: string;
  readonly properties: JsonObject;
  readonly patterns: readonly { readonly source: string; readonly schema: unknown }[];
  readonly additional: unknown;
  /** Whether the values of `properties` must not match their schemas. */
  readonly negated: boolean;
  /** Whether the part was derived from other keywords. Such a part does not exclude additional properties. */
  readonly derived: boolean;
};

/** The keywords of one schema about the items of an array. */
type ArrayPart = {
  readonly path: string;
  readonly prefix: readonly unknown[];
  readonly items: unknown;
  readonly itemsPath: string;
  readonly prefixPath: string;
};

export type Contained = { readonly items: readonly Constraint[]; readonly min: number; readonly max: number };

/** A conjunction of keywords other than combining ones. Immutable. */
export type Branch = {
  readonly path: string;
  /** Whether it comes from a single schema. Then it is an error if nothing matches it. */
  readonly isSingle: boolean;
  readonly types: readonly TypeName[] | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly valuesPath: string;
  readonly excluded: readonly unknown[];
  readonly text: TextLimits;
  readonly number: Omit<NumberRange, 'integer'>;
  readonly objects: readonly ObjectPart[];
  readonly required: ReadonlySet<string>;
  readonly absent: ReadonlySet<string>;
  readonly propertyNames: readonly Constraint[];
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly arrays: readonly ArrayPart[];
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
  readonly contained: readonly Contained[];
  /** The path of the schema that contains a keyword, for errors. */
  readonly origins: ReadonlyMap<string, string>;
};

export const freeText: TextLimits = { patterns: [], notPatterns: [], formats: [], min: 0, max: Infinity, excluded: [] };
const NONE: ReadonlySet<string> = new Set();

const BLANK: Omit<Branch, 'path' | 'isSingle' | 'valuesPath'> = {
  ...{ types: undefined, values: undefined, excluded: [] },
  ...{ text: freeText, number: {}, objects: [], required: NONE, absent: NONE, propertyNames: [] },
  ...{ minProperties: 0, maxProperties: Infinity, arrays: [], minItems: 0, maxItems: Infinity },
  ...{ isUnique: false, contained: [], origins: new Map() },
};

export function blankBranch(path: string, isSingle: boolean): Branch {
  return { ...BLANK, path, isSingle, valuesPath: path };
}

export function isFreeText({ patterns, notPatterns, formats, min, max, excluded }: TextLimits): boolean {
  return patterns.length + notPatterns.length + formats.length + excluded.length === 0 && min === 0 && max === Infinity;
}

export function isFreeNumber({ number }: Branch): boolean {
  return Object.keys(number).length === 0;
}

export function isFreeObject(branch: Branch): boolean {
  return (
    branch.objects.length + branch.required.size + branch.propertyNames.length === 0 &&
    branch.minProperties === 0 &&
    branch.maxProperties === Infinity
  );
}

export function isFreeArray(branch: Branch): boolean {
  return (
    branch.arrays.length + branch.contained.length === 0 &&
    branch.minItems === 0 &&
    branch.maxItems === Infinity &&
    !branch.isUnique
  );
}

/** Whether properties that no schema declares are allowed. `isOpen` allows them where `additionalProperties` is missing. */
export function allowsOtherNames({ objects }: Branch, isOpen: boolean): boolean {
  const declared = objects.filter(({ derived }) => !derived);
  if (declared.some(({ additional }) => additional === false)) return false;
  if (isOpen || declared.some(({ additional }) => additional !== undefined)) return true;
  return declared.every(({ properties, patterns }) => Object.keys(properties).length + patterns.length === 0);
}

/** Whether `additionalProperties` of a schema excludes a name. */
export function isClosedTo({ objects }: Branch, name: string): boolean {
  return objects.some(
    ({ derived, additional, properties, patterns }) =>
      !derived && additional === false && patterns.length === 0 && !Object.hasOwn(properties, name),
  );
}

type Draft = { -readonly [Key in keyof Branch]: Branch[Key] };

const KEYWORDS_BY_GROUP = {
  text: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
  object: [
    ...['properties', 'patternProperties', 'additionalProperties', 'required'],
    ...['propertyNames', 'minProperties', 'maxProperties'],
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
};
const GROUP_BY_KEYWORD = new Map(
  Object.entries(KEYWORDS_BY_GROUP).flatMap(([group, keywords]) => keywords.map((keyword) => [keyword, group])),
);

/** The branch with the keywords of a schema other than combining ones; `undefined` if nothing matches both. */
export function withKeywords(branch: Branch, schema: JsonObject, path: string, strict: boolean): Branch | undefined {
  const next: Draft = { ...branch };
  const handled: string[] = [];
  const has = (keyword: string): boolean => {
    if (schema[keyword] === undefined) return false;
    handled.push(keyword);
    return true;
  };
  if (has('type')) {
    const types = readTypes(schema, path) ?? [];
    next.types = branch.types === undefined ? types : commonTypes(branch.types, types);
    if (next.types.length === 0) return undefined;
  }
  if (has('const')) addValues(next, [schema['const']], childPath(path, 'const'));
  if (has('enum')) addValues(next, readList(schema, 'enum', path) ?? [], childPath(path, 'enum'));
  // Most schemas have few keywords: looking up all thirty in each schema would take most of the time.
  const groups = new Set<string | undefined>();
  for (const keyword of Object.keys(schema)) groups.add(GROUP_BY_KEYWORD.get(keyword));
  if (groups.has('text')) addText(next, schema, path, has);
  if (groups.has('number')) addNumber(next, schema, path, has, strict);
  if (groups.has('object')) addObject(next, schema, path, has);
  if (groups.has('array')) addArray(next, schema, path, has, strict);
  if (handled.length > 0 && !(handled.length === 1 && handled[0] === 'type')) {
    const origins = new Map(branch.origins);
    for (const keyword of handled) origins.set(keyword, path);
    next.origins = origins;
  }
  if (!branch.isSingle && [...next.required].some((name) => next.absent.has(name))) return undefined;
  return next;
}

function addValues(next: Draft, values: readonly unknown[], path: string): void {
  if (next.values === undefined) next.values = values;
  else {
    const texts = new Set(values.map((value) => JSON.stringify(value)));
    next.values = next.values.filter((value) => texts.has(JSON.stringify(value)));
  }
  next.valuesPath = path;
}

type Has = (keyword: string) => boolean;

function addText(next: Draft, schema: JsonObject, path: string, has: Has): void {
  const text = { ...next.text };
  let changed = false;
  for (const keyword of ['pattern', 'format'] as const) {
    if (!has(keyword)) continue;
    const one = { source: readText(schema, keyword, path) ?? '', path: childPath(path, keyword) };
    if (keyword === 'pattern') text.patterns = [...text.patterns, one];
    else text.formats = [...text.formats, one];
    changed = true;
  }
  if (has('minLength')) {
    text.min = Math.max(text.min, readCount(schema, 'minLength', path) ?? 0);
    changed = true;
  }
  if (has('maxLength')) {
    text.max = Math.min(text.max, readCount(schema, 'maxLength', path) ?? 0);
    changed = true;
  }
  if (changed) next.text = text;
}

function addNumber(next: Draft, schema: JsonObject, path: string, has: Has, strict: boolean): void {
  const { number } = next;
  const bounded: JsonObject = strict ? schema : withNumericBounds(schema);
  for (const keyword of ['minimum', 'exclusiveMinimum'] as const) {
    if (!has(keyword)) continue;
    const bound = readNumber(bounded, keyword, path);
    if (bound !== undefined) next.number = { ...next.number, [keyword]: Math.max(number[keyword] ?? -Infinity, bound) };
  }
  for (const keyword of ['maximum', 'exclusiveMaximum'] as const) {
    if (!has(keyword)) continue;
    const bound = readNumber(bounded, keyword, path);
    if (bound !== undefined) next.number = { ...next.number, [keyword]: Math.min(number[keyword] ?? Infinity, bound) };
  }
  if (!has('multipleOf')) return;
  const step = readNumber(schema, 'multipleOf', path) ?? 0;
  const previous = next.number.multipleOf;
  if (previous !== undefined && previous !== step && !(Number.isInteger(previous) && Number.isInteger(step))) {
    const reason = 'different values of "multipleOf" can be combined only when they are integers';
    throw new GrammarError('unsupported', reason, { path: childPath(path, 'multipleOf') });
  }
  next.number = {
    ...next.number,
    multipleOf:
      previous === undefined || previous === step || step <= 0
        ? step
        : (previous * step) / greatestCommonDivisor(previous, step),
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** In draft 4, exclusive bounds are flags next to the bounds. */
function withNumericBounds(schema: JsonObject): JsonObject {
  let bounded = schema;
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    if (schema[flag] && schema[bound] === undefined) continue;
    bounded = { ...bounded, [flag]: schema[flag] ? schema[bound] : undefined };
  }
  return bounded;
}

function addObject(next: Draft, schema: JsonObject, path: string, has: Has): void {
  const properties = has('properties');
  const patterns = has('patternProperties');
  const additional = has('additionalProperties');
  if (properties || patterns || additional) {
    next.objects = [
      ...next.objects,
      {
        path,
        properties: readProperties(schema, path) ?? {},
        patterns: patterns ? readPatterns(schema, path) : [],
        additional: schema['additionalProperties'],
        negated: false,
        derived: false,
      },
    ];
  }
  if (has('required')) {
    const names = readRequired(schema, path);
    next.required = next.required.size === 0 ? names : new Set([...next.required, ...names]);
  }
  if (has('propertyNames')) {
    const constraint = {
      kind: 'schema',
      schema: schema['propertyNames'],
      path: childPath(path, 'propertyNames'),
    } as const;
    next.propertyNames = [...next.propertyNames, constraint];
  }
  if (has('minProperties'))
    next.minProperties = Math.max(next.minProperties, readCount(schema, 'minProperties', path) ?? 0);
  if (has('maxProperties'))
    next.maxProperties = Math.min(next.maxProperties, readCount(schema, 'maxProperties', path) ?? 0);
}

function readPatterns(schema: JsonObject, path: string): ObjectPart['patterns'] {
  const patternProperties = schema['patternProperties'];
  if (!isJsonObject(patternProperties)) {
    const reason = 'patternProperties must be an object of schemas';
    throw new GrammarError('syntax', reason, { path: childPath(path, 'patternProperties') });
  }
  return Object.keys(patternProperties).map((source) => ({ source, schema: patternProperties[source] }));
}

function addArray(next: Draft, schema: JsonObject, path: string, has: Has, strict: boolean): void {
  const isList = has('items') && Array.isArray(schema['items']) && !strict;
  const prefix = has('prefixItems');
  // Before draft 2020-12, `items` can be a list, and `additionalItems` is the schema of all other items.
  if (isList) {
    const items = schema['additionalItems'];
    next.arrays = [
      ...next.arrays,
      {
        path,
        prefix: readList(schema, 'items', path) ?? [],
        items,
        itemsPath: childPath(path, 'additionalItems'),
        prefixPath: childPath(path, 'items'),
      },
    ];
  } else if (prefix || schema['items'] !== undefined) {
    next.arrays = [
      ...next.arrays,
      {
        path,
        prefix: readSchemas(schema, 'prefixItems', path) ?? [],
        items: schema['items'],
        itemsPath: childPath(path, 'items'),
        prefixPath: childPath(path, 'prefixItems'),
      },
    ];
  }
  if (has('minItems')) next.minItems = Math.max(next.minItems, readCount(schema, 'minItems', path) ?? 0);
  if (has('maxItems')) next.maxItems = Math.min(next.maxItems, readCount(schema, 'maxItems', path) ?? 0);
  if (has('uniqueItems')) next.isUnique ||= schema['uniqueItems'] === true;
  if (!has('contains')) return;
  const min = readCount(schema, 'minContains', path) ?? 1;
  const max = readCount(schema, 'maxContains', path) ?? Infinity;
  const items = [{ kind: 'schema', schema: schema['contains'], path: childPath(path, 'contains') } as const];
  next.contained = [...next.contained, { items, min, max }];
}

export function commonTypes(left: readonly TypeName[], right: readonly TypeName[]): TypeName[] {
  const common = [
    ...left.filter((type) => includesType(right, type)),
    ...right.filter((type) => includesType(left, type)),
  ];
  return [...new Set(common)];
}

/** Whether there are common types. Does not allocate a list of them. */
export function haveCommonTypes(left: readonly TypeName[], right: readonly TypeName[]): boolean {
  return left.some((type) => includesType(right, type)) || right.some((type) => includesType(left, type));
}

/** Whether all values of `type` are values of `types`. */
export function includesType(types: readonly TypeName[], type: TypeName): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
