import { matchesDfa } from '../automaton/dfa.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import { call, choice, terminal } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import type { RuleDefinition } from '../network/build.ts';
import { compileArray } from './array.ts';
import { blankBranch, freeText, isFreeArray, isFreeNumber, isFreeObject, isFreeText, withKeywords } from './branch.ts';
import type { Branch, TextLimits } from './branch.ts';
import { schemaOfConstant, canonicalJson } from './constant.ts';
import { COMBINING_KEYWORDS, createIdentities } from './constraint.ts';
import type { Constraint } from './constraint.ts';
import { areDisjoint } from './disjoint.ts';
import { expand } from './expand.ts';
import {
  childPath,
  isJsonObject,
  OTHER_KEYWORDS,
  readSchemas,
  readText,
  UNSUPPORTED_KEYWORDS,
  STRICT_KEYWORDS,
  TYPES,
} from './keywords.ts';
import type { JsonObject, TypeName } from './keywords.ts';
import { compileObject } from './object.ts';
import { createReferences } from './pointer.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { createTerminals } from './terminals.ts';

const MAX_DEPTH = 500;
/** Maximum number of schemas in `oneOf`, which are compared in pairs. */
const MAX_ONE_OF = 200;
/** Maximum number of schemas in `anyOf`: all alternatives are active at once. */
const MAX_ANY_OF = 1000;
/** The cost of a schema without its automata, in steps of work. */
const VALUE_WORK = 150;
/** The cost of a constant, and of checking it against the other keywords, in steps of work. */
const CONSTANT_WORK = 8;
const CONSTANT_CHECK_WORK = 50;
/** Maximum length limit together with other keywords, where the automaton has states for each character. */
const MAX_LENGTH = 5000;
/** The maximum length of generated strings in characters. */
const MAX_GENERATED_LENGTH = 1_000_000;

export type SchemaCompilerOptions = {
  readonly strict: boolean;
  readonly whitespace: 'any' | 'compact';
  readonly unspecified: 'allow' | 'reject';
  readonly propertyOrder: 'schema' | 'any';
  readonly longIntegers: boolean;
};

export function createSchemaCompiler(
  root: unknown,
  budget: Budget,
  { strict, whitespace, unspecified, propertyOrder, longIntegers }: SchemaCompilerOptions,
): SchemaCompiler {
  const isOpen = unspecified === 'allow';
  const terminals = createTerminals(budget, { strict, whitespace, isOpen, longIntegers });
  const rules: RuleDefinition[] = [];
  const referred = new Map<string, number>();
  const combined = new Map<string, number>();
  const identity = createIdentities();
  const resolve = createReferences(root);
  const ignoresKeywordsBesideRef = isBeforeDraft2019(root);
  let depth = 0;
  /** Whether an object or array can be written only as by `JSON.stringify`: with one order of properties and without spaces. */
  const hasSingleForm = (value: object): boolean =>
    (propertyOrder === 'schema' && whitespace === 'compact' && !isOpen) || !hasSeparators(value);

  const newRule = (name: string): number => rules.push({ name, node: choice() }) - 1;
  const define = (rule: number, name: string, node: Node): void => {
    rules[rule] = { name, node };
  };

  /** Calls the rule of a referenced schema, which is compiled once. */
  const refer = (pointer: string, path: string): Node => {
    let rule = referred.get(pointer);
    if (rule === undefined) {
      const schema = resolve(pointer, childPath(path, '$ref'));
      rule = newRule(pointer);
      referred.set(pointer, rule);
      define(rule, pointer, compiler.value([{ kind: 'schema', schema, path: pointer }], pointer));
    }
    return call(rule);
  };

  const anyRules = new Map<string, number>();
  const any = (kind: 'value' | 'array' | 'object'): Node => {
    let rule = anyRules.get(kind);
    if (rule === undefined) {
      rule = newRule(`any ${kind}`);
      anyRules.set(kind, rule);
      const free = blankBranch('#', true);
      const types: TypeName[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];
      const node =
        kind === 'value'
          ? choice(...types.map((type) => ofType(type, free)))
          : kind === 'array'
            ? compileArray(compiler, free)
            : compileObject(compiler, free);
      define(rule, `any ${kind}`, node);
    }
    return call(rule);
  };

  const ofType = (type: TypeName, branch: Branch): Node => {
    switch (type) {
      case 'null':
        return branch.excluded.includes(null) ? choice() : terminal(terminals.literal('null'));
      case 'boolean': {
        const texts = ['true', 'false'].filter((text) => !branch.excluded.includes(text === 'true'));
        return texts.length === 0 ? choice() : terminal(terminals.oneOf(texts));
      }
      case 'string':
        return stringNode(branch);
      case 'number':
      case 'integer':
        return terminal(numberTerminal(branch, type === 'integer', true));
      case 'array':
        return isFreeArray(branch) ? any('array') : compileArray(compiler, branch);
      case 'object':
        return isFreeObject(branch) ? any('object') : compileObject(compiler, branch);
    }
  };

  const mayBeEmpty = ({ isSingle }: Branch): boolean => !isSingle || isOpen;

  const numberTerminal = (branch: Branch, integer: boolean, withExcluded: boolean) => {
    const excluded = withExcluded ? branch.excluded.filter((value) => typeof value === 'number') : [];
    return terminals.number({ integer, ...branch.number }, excluded, branch.path, mayBeEmpty(branch));
  };

  const textLimits = (branch: Branch, isName = false): TextLimits => {
    const { text, excluded, origins, path } = branch;
    const { min, max } = text;
    if (min > max) throw new GrammarError('empty', 'minLength is greater than maxLength', { path });
    const keyword = max < Infinity ? 'maxLength' : 'minLength';
    const isAlone = !isName && excluded.length === 0 && terminals.areLengthOnly(text);
    if (isAlone ? min > MAX_GENERATED_LENGTH : Math.max(min, max === Infinity ? 0 : max) > MAX_LENGTH) {
      const at = childPath(origins.get(keyword) ?? path, keyword);
      const reason = isAlone
        ? `minLength can be at most ${MAX_GENERATED_LENGTH}`
        : `${keyword} can be at most ${MAX_LENGTH} for property names and together with other keywords of a string`;
      throw new GrammarError('limit', reason, { path: at });
    }
    const texts = excluded.filter((value) => typeof value === 'string');
    return texts.length === 0 ? text : { ...text, excluded: texts };
  };

  const stringNode = (branch: Branch): Node => {
    const limits = textLimits(branch);
    const { min, max } = limits;
    if ((min === 0 && max === Infinity) || !terminals.areLengthOnly(limits)) {
      return terminal(terminals.string(limits, branch.path, mayBeEmpty(branch)));
    }
    return terminal(terminals.stringOfLength(min, max === Infinity ? max : Math.min(max, MAX_GENERATED_LENGTH)));
  };

  /** Compiles the values of a branch. */
  const fromBranch = (branch: Branch): Node => {
    if (branch.values !== undefined) return fromValues(branch, branch.values);
    const types = branch.types ?? (isOpen ? undefined : impliedTypes(branch));
    if (types === undefined) {
      const isFree = isOpen ? impliedTypes(branch) === undefined : true;
      if (isFree && branch.excluded.length === 0) return any('value');
    }
    const all = withoutRedundantTypes(types ?? TYPES);
    if (all.length === 1 && all[0] !== undefined) return ofType(all[0], branch);
    return alternatives(all, (type) => ofType(type, branch), branch.isSingle && !isOpen);
  };

  /** Compiles constants. Objects and arrays with several forms, or restricted by other keywords, are compiled as schemas. */
  const fromValues = (branch: Branch, values: readonly unknown[]): Node => {
    const nested = values.filter((value) => !isPlain(value, branch, hasSingleForm));
    if (nested.length === 0) return terminal(terminals.oneOf(withDecimalForms(branch, serializedConstants(branch))));
    const others = { ...branch, values: values.filter((value) => isPlain(value, branch, hasSingleForm)) };
    const withoutValues = { ...branch, values: undefined, isSingle: false };
    const makers: (() => Node)[] = nested.map((value) => () => {
      const schema = schemaOfConstant(value);
      const next = withKeywords(withoutValues, schema, branch.valuesPath, strict);
      if (next === undefined)
        throw new GrammarError('empty', 'this value does not match the rest of the schema', {
          path: branch.valuesPath,
        });
      return fromBranch(next);
    });
    if (others.values.length > 0)
      makers.push(() => terminal(terminals.oneOf(withDecimalForms(others, serializedConstants(others)))));
    return alternatives(makers, (make) => make(), false);
  };

  /** The choice of the alternatives that some value matches. Throws the error of the last empty one if all are empty. */
  const alternatives = <Item>(items: readonly Item[], make: (item: Item) => Node, mustMatch: boolean): Node => {
    const nodes: Node[] = [];
    let failure: GrammarError | undefined;
    for (const item of items) {
      try {
        nodes.push(make(item));
      } catch (error) {
        if (mustMatch || !isEmptyError(error)) throw error;
        failure = error;
      }
    }
    if (nodes.length === 0 && failure !== undefined) throw failure;
    return choice(...nodes);
  };

  /** Adds the form `1.0` of integers, which is the same number, but not an integer in draft 4. */
  const withDecimalForms = ({ types }: Branch, texts: readonly string[]): readonly string[] =>
    isOpen && types?.includes('integer') !== true
      ? [...texts, ...texts.filter((text) => /^-?\d+$/.test(text)).map((text) => `${text}.0`)]
      : texts;

  const serializedConstants = (branch: Branch): string[] => {
    const { values = [], types, valuesPath } = branch;
    budget.addWork(CONSTANT_WORK * values.length);
    const excluded = new Set(branch.excluded.map((value) => JSON.stringify(value)));
    const texts = values
      .filter((value) => isOfTypes(value, types))
      .filter((value) => satisfiesKeywords(value, branch))
      .map((value) => JSON.stringify(value))
      .filter((text) => !excluded.has(text));
    if (texts.length === 0) {
      const reason = 'none of these values matches the rest of the schema';
      throw new GrammarError('empty', reason, { path: valuesPath });
    }
    return [...new Set(texts)];
  };

  /** Whether a constant matches the other keywords. */
  const satisfiesKeywords = (value: unknown, branch: Branch): boolean => {
    if (typeof value === 'string') {
      if (isFreeText(branch.text)) return true;
      const { min, max } = branch.text;
      if (terminals.areLengthOnly(branch.text)) return isOfLength(value, min, max);
      budget.addWork(CONSTANT_CHECK_WORK + value.length);
      return matchesDfa(terminals.string(textLimits(branch), branch.path, true).dfa, JSON.stringify(value));
    }
    if (typeof value === 'number') {
      if (isFreeNumber(branch)) return true;
      budget.addWork(CONSTANT_CHECK_WORK);
      const { dfa } = terminals.number({ integer: Number.isInteger(value), ...branch.number }, [], branch.path, true);
      return matchesDfa(dfa, JSON.stringify(value));
    }
    return true;
  };

  const context = {
    budget,
    strict,
    isOpen,
    resolve: (reference: string, path: string) => resolve(reference, childPath(path, '$ref')),
    checkKeywords,
    ignoresKeywordsBesideRef,
    matchesPattern: (source: string, name: string, path: string) => {
      const limits = { ...freeText, patterns: [{ source, path }] };
      return matchesDfa(terminals.string(limits, path, true).dfa, JSON.stringify(name));
    },
  };

  /** Calls the rule of a combination of schemas. It is a rule because it can contain itself. */
  const combination = (constraints: readonly Constraint[], path: string): Node => {
    const keys = constraints.map(identity);
    const key = keys.includes(undefined) ? undefined : keys.join(' ');
    const existing = key === undefined ? undefined : combined.get(key);
    if (existing !== undefined) return call(existing);
    const rule = newRule(path);
    if (key !== undefined) combined.set(key, rule);
    const branches = expand(constraints, path, context);
    if (branches.length === 0) {
      throw new GrammarError('empty', 'no value matches all of these schemas', { path });
    }
    define(rule, path, alternatives(branches, fromBranch, false));
    return call(rule);
  };

  /** Compiles one schema. Nothing needs to be combined if it has no combining keyword, or one that is its only keyword. */
  const compileSchema = (schema: JsonObject, path: string): Node => {
    checkKeywords(schema, path);
    if (ignoresKeywordsBesideRef && schema['$ref'] !== undefined) {
      const reference = readText(schema, '$ref', path);
      if (reference !== undefined) return refer(reference, path);
    }
    const combining = Object.keys(schema).filter((key) => COMBINING_KEYWORDS.has(key) && schema[key] !== undefined);
    const [keyword] = combining;
    if (keyword === undefined) {
      const branch = withKeywords(blankBranch(path, true), schema, path, strict);
      if (branch === undefined) throw new GrammarError('empty', 'no value matches this schema', { path });
      return fromBranch(branch);
    }
    const isAlone = combining.length === 1 && !restricts(without(schema, keyword));
    const reference = isAlone ? readText(schema, '$ref', path) : undefined;
    if (reference !== undefined) return refer(reference, path);
    for (const name of ['anyOf', 'oneOf']) {
      const options = readSchemas(schema, name, path);
      if (!options) continue;
      const limit = name === 'oneOf' ? MAX_ONE_OF : MAX_ANY_OF;
      if (options.length > limit) {
        throw new GrammarError('limit', `${name} can have at most ${limit} schemas`, { path: childPath(path, name) });
      }
      if (!isAlone || (name === 'oneOf' && !areDisjoint(options.map(inlined(path)), budget))) continue;
      const makers = options.map((option, index) => (): Node => {
        const at = childPath(path, name, index);
        return compiler.value([{ kind: 'schema', schema: option, path: at }], at);
      });
      return alternatives(makers, (make) => make(), !isOpen);
    }
    return combination([{ kind: 'schema', schema, path }], path);
  };

  /** Follows references to the schema of an alternative. */
  const inlined =
    (path: string) =>
    (part: unknown): unknown => {
      let current = part;
      for (let hops = 0; isJsonObject(current) && typeof current['$ref'] === 'string'; hops++) {
        if (hops > 50) throw new GrammarError('limit', 'circular references without a value', { path });
        current = context.resolve(current['$ref'], path);
      }
      return current;
    };

  const compiler: SchemaCompiler = {
    terminals,
    rules,
    budget,
    isOpen,
    propertyOrder,
    any,
    value(constraints, path) {
      budget.addWork(VALUE_WORK);
      const open = constraints.filter((one) => one.kind !== 'schema' || one.schema !== true);
      const [first] = open;
      if (first === undefined) return any('value');
      if (++depth > MAX_DEPTH)
        throw new GrammarError('limit', `schemas can be nested at most ${MAX_DEPTH} levels deep`, { path });
      try {
        if (open.length > 1 || first.kind !== 'schema') return combination(open, path);
        const { schema } = first;
        if (schema === false) throw new GrammarError('empty', 'false allows no value', { path: first.path });
        if (!isJsonObject(schema)) throw new GrammarError('syntax', 'a schema must be an object', { path: first.path });
        return compileSchema(schema, first.path);
      } finally {
        depth--;
      }
    },
    reusable(constraints, path) {
      const node = compiler.value(constraints, path);
      if (node.kind === 'terminal' || node.kind === 'rule') return node;
      const rule = newRule(path);
      define(rule, path, node);
      return call(rule);
    },
    optional(constraints, path, mayBeEmpty) {
      const [first] = constraints;
      // This is frequent, and an error with its stack trace would cost more than the whole object.
      if (mayBeEmpty && constraints.length === 1 && first?.kind === 'schema' && first.schema === false) {
        budget.addWork(VALUE_WORK);
        return undefined;
      }
      try {
        return compiler.reusable(constraints, path);
      } catch (error) {
        if (!mayBeEmpty || !isEmptyError(error)) throw error;
        return undefined;
      }
    },
    constants(constraints, path) {
      const texts = new Map<string, string>();
      let failure: GrammarError | undefined;
      for (const branch of expand(constraints, path, context)) {
        const values = (branch.values ?? enumerateValues(branch.types))?.filter((value) =>
          isOfTypes(value, branch.types),
        );
        if (values?.every((value) => isPlain(value, branch, hasSingleForm)) !== true) return undefined;
        try {
          for (const text of serializedConstants({ ...branch, values })) {
            budget.addWork(CONSTANT_WORK);
            const value: unknown = JSON.parse(text);
            const key = canonicalJson(value);
            if (!texts.has(key)) texts.set(key, text);
          }
        } catch (error) {
          if (!isEmptyError(error)) throw error;
          failure = error;
        }
      }
      if (texts.size === 0 && failure !== undefined) throw failure;
      return [...texts.values()];
    },
    texts: (constraints, path) =>
      expand(constraints, path, context)
        .filter(({ types }) => types === undefined || types.includes('string'))
        .map((branch) => ({ limits: textLimits(branch, true), values: branch.values })),
  };
  return compiler;
}

/** Whether the schema declares a draft in which keywords next to `$ref` have no effect (draft-07 core, section 8.3). */
function isBeforeDraft2019(root: unknown): boolean {
  const draft = isJsonObject(root) ? root['$schema'] : undefined;
  return typeof draft === 'string' && /^https?:\/\/json-schema\.org\/draft-0[3467]\/schema/.test(draft);
}

/** Whether a string has a length, in code points (JSON Schema validation, section 6.3.1). */
function isOfLength(text: string, min: number, max: number): boolean {
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

function isEmptyError(error: unknown): error is GrammarError {
  return error instanceof GrammarError && error.code === 'empty';
}

/** Whether a constant is one text: a scalar, or an object or array that has a single form and that no keywords restrict. */
function isPlain(value: unknown, branch: Branch, hasSingleForm: (value: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!hasSingleForm(value)) return false;
  return Array.isArray(value) ? isFreeArray(branch) : isFreeObject(branch);
}

/** Whether the value or a nested one contains a `:` or `,`, after which there can be a space. */
function hasSeparators(value: object): boolean {
  const parts: unknown[] = Object.values(value);
  if (parts.length > (Array.isArray(value) ? 1 : 0)) return true;
  return parts.some((part) => typeof part === 'object' && part !== null && hasSeparators(part));
}

/** All values of the types if these are only boolean and null. */
function enumerateValues(types: Branch['types']): readonly unknown[] | undefined {
  if (types?.every((type) => type === 'boolean' || type === 'null') !== true) return undefined;
  return types.flatMap((type) => (type === 'boolean' ? [true, false] : [null]));
}

/** The types that the keywords of a schema without a type apply to. Stricter than JSON Schema, which allows other types. */
function impliedTypes(branch: Branch): TypeName[] | undefined {
  const implied: TypeName[] = [];
  if (!isFreeObject(branch)) implied.push('object');
  if (!isFreeArray(branch)) implied.push('array');
  if (!isFreeText(branch.text)) implied.push('string');
  if (!isFreeNumber(branch)) implied.push('number');
  return implied.length === 0 ? undefined : implied;
}

function withoutRedundantTypes(types: readonly TypeName[]): TypeName[] {
  return [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number'));
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

/** Whether a schema restricts values. */
function restricts(schema: JsonObject): boolean {
  return Object.keys(schema).some(
    (key) => STRICT_KEYWORDS.has(key) || OTHER_KEYWORDS.has(key) || UNSUPPORTED_KEYWORDS.has(key),
  );
}

function checkKeywords(schema: JsonObject, path: string): void {
  const unsupported = Object.keys(schema).find((keyword) => UNSUPPORTED_KEYWORDS.has(keyword));
  if (unsupported !== undefined) {
    const reason = `"${unsupported}" cannot be enforced during generation; remove it`;
    throw new GrammarError('unsupported', reason, { path: childPath(path, unsupported) });
  }
}

function isOfTypes(value: unknown, types: Branch['types']): boolean {
  return types === undefined || types.some((type) => isOfType(value, type));
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
