import { createBudget, excludingPauses } from '../budget.ts';
import type { Budget, Limits } from '../budget.ts';
import { compileRules } from '../compile.ts';
import { GrammarError, placed } from '../errors.ts';
import type { Grammar } from '../grammar.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { createSchemaCompiler } from './compiler.ts';
import { checkSize } from './size.ts';
import { checkStrict } from './strict.ts';

export type JsonSchemaOptions = Limits & {
  /** Validates the schema against the strict subset of structured outputs first (see the README). Default false. */
  strict?: boolean;
};

/** As for other grammars: counted work rejects hostile schemas long before. */
const DEFAULT_MS = 5000;
/** Thousands of properties are within the limits and take proportional time. */
const CHARACTERS_PER_MS = 500;

/**
 * Compiles a JSON Schema (interface: `response_format`, `parameters` of tools). The grammar accepts valid JSON values in
 * compact form: an optional space after `:` and `,`, no other white space.
 * @throws {GrammarError} with the `path` of what is invalid or not supported exactly.
 */
export function compileJsonSchema(schema: unknown, options: JsonSchemaOptions = {}): Grammar {
  return runSteps(compileJsonSchemaSteps(schema, options));
}

/** The same as a generator that yields between steps. */
export function* compileJsonSchemaSteps(
  schema: unknown,
  { strict = false, ...limits }: JsonSchemaOptions = {},
): Steps<Grammar> {
  if (strict) checkStrict(schema);
  const size = checkSize(schema);
  const budget = createBudget({
    ...limits,
    maxMs: limits.maxMs ?? DEFAULT_MS + Math.ceil(size / CHARACTERS_PER_MS),
  });
  return yield* excludingPauses(compileWithin(schema, budget), budget);
}

function* compileWithin(schema: unknown, budget: Budget): Steps<Grammar> {
  const compiler = createSchemaCompiler(schema, budget);
  try {
    yield;
    const start = compiler.rules.push({ name: '#', node: compiler.value(schema, '#') }) - 1;
    yield;
    yield* compiler.tokens.prepare();
    return yield* compileRules(compiler.rules, start, budget, (path) => {
      const reason = 'this $ref refers to itself without a value in between';
      return new GrammarError('empty', reason, { path: path.startsWith('#') ? path : '#' });
    });
  } catch (error) {
    throw placed(error, { path: '#' });
  }
}

/** Compiles JSON mode (interface: `response_format` of type `json_object`): any JSON object. */
export function compileJsonObject(limits: Limits = {}): Grammar {
  const budget = createBudget(limits);
  const compiler = createSchemaCompiler(true, budget);
  const start = compiler.rules.push({ name: 'JSON object', node: compiler.any('object') }) - 1;
  return runSteps(compileRules(compiler.rules, start, budget));
}
