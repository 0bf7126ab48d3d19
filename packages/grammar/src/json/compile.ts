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
  /** Holds the schema against the strict subset of structured outputs first (see the README). Default false. */
  strict?: boolean;
};

/** As for other grammars: counted work ends what is hostile long before. */
const DEFAULT_MS = 5000;
/** Thousands of properties are within the limits and take their time, in proportion. */
const CHARACTERS_PER_MS = 500;

/**
 * Compiles a JSON Schema (interface: `response_format`, `parameters` of tools). The texts of the grammar are JSON values
 * that fit the schema, written compactly: a space or none after `:` and `,`, no other white space.
 *
 * @throws GrammarError with the `path` of what is wrong, or cannot be enforced exactly.
 */
export function compileJsonSchema(schema: unknown, options: JsonSchemaOptions = {}): Grammar {
  return runSteps(compileJsonSchemaSteps(schema, options));
}

/** The same in steps. */
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
      const reason = 'this $ref leads back to itself without a value between';
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
