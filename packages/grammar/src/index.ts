export { compileJsonObject, compileJsonSchema } from './json/compile.ts';
export type { JsonSchemaOptions } from './json/compile.ts';
export { STRICT_LIMITS } from './json/strict.ts';
export { GrammarError } from './errors.ts';
export type { GrammarErrorCode, GrammarErrorDetails } from './errors.ts';
export type { Grammar, State } from './grammar.ts';
export type { Limits, Spent } from './budget.ts';
