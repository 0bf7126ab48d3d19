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
  /** Whether to reject schemas outside of the strict subset of structured outputs (see the README). Default false. */
  strict?: boolean;
  /** `compact` allows one optional space after `:` and `,`; `any` allows whitespace between all JSON tokens. Default `compact`. */
  whitespace?: 'any' | 'compact';
  /**
   * Whether to allow what a schema does not mention: additional properties, items after `prefixItems`, and types other than those that its
   * keywords apply to. JSON Schema allows these; models generate better output without them. Default `reject`.
   */
  unspecified?: 'allow' | 'reject';
  /**
   * The order of an object's properties: `schema` is the order of the schema, followed by additional properties. Default `schema`, which
   * leaves a model fewer choices.
   */
  propertyOrder?: 'schema' | 'any';
  /**
   * Whether integers may have up to 21 digits, unless `multipleOf` applies. Default false: they are within ±(2^53 - 1), which all clients read
   * exactly.
   */
  longIntegers?: boolean;
};

/** The same as for other grammars. The limit on work rejects hostile schemas much earlier. */
const DEFAULT_MS = 5000;
/** The time limit grows with the schema: thousands of properties are within the other limits and take proportional time. */
const CHARACTERS_PER_MS = 500;

/**
 * Compiles a JSON Schema (API: `response_format`, `parameters` of tools). By default, the grammar accepts valid JSON values in
 * compact form: with an optional space after `:` and `,`, and no other whitespace.
 * @throws {GrammarError} with the `path` of what is invalid or cannot be enforced exactly.
 */
export function compileJsonSchema(schema: unknown, options: JsonSchemaOptions = {}): Grammar {
  return runSteps(compileJsonSchemaSteps(schema, options));
}

/** Like `compileJsonSchema`, in steps. */
export function* compileJsonSchemaSteps(
  schema: unknown,
  {
    strict = false,
    whitespace = 'compact',
    unspecified = 'reject',
    propertyOrder = 'schema',
    longIntegers = false,
    ...limits
  }: JsonSchemaOptions = {},
): Steps<Grammar> {
  if (strict) checkStrict(schema);
  const size = checkSize(schema);
  const budget = createBudget({
    ...limits,
    maxMs: limits.maxMs ?? DEFAULT_MS + Math.ceil(size / CHARACTERS_PER_MS),
  });
  const options = { strict, whitespace, unspecified, propertyOrder, longIntegers };
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
      const reason = 'this $ref leads directly back to itself';
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
  longIntegers: false,
};

/** Compiles the grammar of JSON mode (API: `response_format` of type `json_object`): any JSON object. */
export function compileJsonObject(limits: Limits = {}): Grammar {
  const budget = createBudget(limits);
  const compiler = createSchemaCompiler(true, budget, JSON_MODE);
  const start = compiler.rules.push({ name: 'JSON object', node: compiler.any('object') }) - 1;
  return runSteps(compileRules(compiler.rules, start, budget));
}
