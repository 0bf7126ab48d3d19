import { createBudget, withinBudget } from '../budget.ts';
import type { Budget, Limits } from '../budget.ts';
import { compileRules } from '../compile.ts';
import { GrammarError, withPosition } from '../errors.ts';
import type { Grammar } from '../grammar.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { sequence, terminal } from '../network/node.ts';
import { createSchemaCompiler } from './compiler.ts';
import type { SchemaCompilerOptions } from './compiler.ts';
import { checkSize } from './size.ts';
import { checkStrict } from './strict.ts';

export type JsonSchemaOptions = Limits & {
  /** Validates the schema against the strict subset of structured outputs first (see the README). Default false. */
  strict?: boolean;
  /** Whitespace between tokens: a space or none after `:` and `,`, or any of JSON. Default `compact`. */
  whitespace?: 'any' | 'compact';
  /**
   * What a schema does not mention: properties beside declared ones, items after a prefix, types other than those that its
   * keywords are about. JSON Schema allows these; models generate better output without them. Default `reject`.
   */
  unspecified?: 'allow' | 'reject';
  /**
   * The order of an object's properties: that of the schema, with additional ones after them, or any. Default `schema`, which
   * gives a model fewer choices.
   */
  propertyOrder?: 'schema' | 'any';
};

/** As for other grammars: counted work rejects hostile schemas long before. */
const DEFAULT_MS = 5000;
/** Thousands of properties are within the limits and take proportional time. */
const CHARACTERS_PER_MS = 500;

/**
 * Compiles a JSON Schema (API: `response_format`, `parameters` of tools). The grammar accepts valid JSON values in
 * compact form: an optional space after `:` and `,`, no other whitespace.
 * @throws {GrammarError} with the `path` of what is invalid or not supported exactly.
 */
export function compileJsonSchema(schema: unknown, options: JsonSchemaOptions = {}): Grammar {
  return runSteps(compileJsonSchemaSteps(schema, options));
}

/** The same as a generator that yields between steps. */
export function* compileJsonSchemaSteps(
  schema: unknown,
  {
    strict = false,
    whitespace = 'compact',
    unspecified = 'reject',
    propertyOrder = 'schema',
    ...limits
  }: JsonSchemaOptions = {},
): Steps<Grammar> {
  if (strict) checkStrict(schema);
  const size = checkSize(schema);
  const budget = createBudget({
    ...limits,
    maxMs: limits.maxMs ?? DEFAULT_MS + Math.ceil(size / CHARACTERS_PER_MS),
  });
  const options = { strict, whitespace, unspecified, propertyOrder };
  return yield* withinBudget(budget, () => compileWithin(schema, budget, options));
}

function* compileWithin(schema: unknown, budget: Budget, options: SchemaCompilerOptions): Steps<Grammar> {
  const compiler = createSchemaCompiler(schema, budget, options);
  const { rules, terminals } = compiler;
  try {
    yield;
    const value = compiler.value([{ kind: 'schema', schema, path: '#' }], '#');
    const margin = terminal(terminals.surroundingWhitespace());
    const node = options.whitespace === 'any' ? sequence(margin, value, margin) : value;
    const start = rules.push({ name: '#', node }) - 1;
    yield;
    yield* terminals.prepare();
    return yield* compileRules(rules, start, budget, (path) => {
      const reason = 'this $ref refers to itself without a value in between';
      return new GrammarError('empty', reason, { path: path.startsWith('#') ? path : '#' });
    });
  } catch (error) {
    throw withPosition(error, { path: '#' });
  }
}

const JSON_MODE: SchemaCompilerOptions = {
  strict: false,
  whitespace: 'compact',
  unspecified: 'reject',
  propertyOrder: 'schema',
};

/** Compiles JSON mode (API: `response_format` of type `json_object`): any JSON object. */
export function compileJsonObject(limits: Limits = {}): Grammar {
  const budget = createBudget(limits);
  const compiler = createSchemaCompiler(true, budget, JSON_MODE);
  const start = compiler.rules.push({ name: 'JSON object', node: compiler.any('object') }) - 1;
  return runSteps(compileRules(compiler.rules, start, budget));
}
