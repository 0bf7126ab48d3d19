import { createBudget } from '../budget.ts';
import type { Limits } from '../budget.ts';
import { compileRules } from '../compile.ts';
import { GrammarError } from '../errors.ts';
import type { Grammar } from '../grammar.ts';
import { leftCalls, leftGroups, nullableRules } from '../network/left-recursion.ts';
import { buildNetwork } from '../network/build.ts';
import { createSchemaCompiler } from './compiler.ts';
import { checkStrict } from './strict.ts';

export type JsonSchemaOptions = Limits & {
  /** Holds the schema against the strict subset of structured outputs first (see the README). Default false. */
  strict?: boolean;
};

/**
 * Compiles a JSON Schema (interface: `response_format`, `parameters` of tools). The texts of the grammar are JSON values
 * that fit the schema, written compactly: a space or none after `:` and `,`, no other white space.
 *
 * @throws GrammarError with the `path` of what is wrong, or cannot be enforced exactly.
 */
export function compileJsonSchema(schema: unknown, { strict = false, ...limits }: JsonSchemaOptions = {}): Grammar {
  if (strict) checkStrict(schema);
  const budget = createBudget(limits);
  const compiler = createSchemaCompiler(schema, budget);
  const start = compiler.rules.push({ name: '#', node: compiler.value(schema, '#') }) - 1;
  const network = buildNetwork(compiler.rules, start, budget);
  const calls = leftCalls(network, nullableRules(network, budget), budget);
  const circle = leftGroups(calls, budget).find(
    (group) => group.length > 1 || calls[group[0] ?? 0]?.has(group[0] ?? 0),
  );
  if (circle) {
    const path = compiler.rules[circle[0] ?? 0]?.name ?? '#';
    throw new GrammarError('empty', 'this $ref leads back to itself without a value between', { path });
  }
  return compileRules(compiler.rules, start, budget);
}

/** Compiles JSON mode (interface: `response_format` of type `json_object`): any JSON object. */
export function compileJsonObject(limits: Limits = {}): Grammar {
  const budget = createBudget(limits);
  const compiler = createSchemaCompiler(true, budget);
  const start = compiler.rules.push({ name: 'JSON object', node: compiler.any('object') }) - 1;
  return compileRules(compiler.rules, start, budget);
}
