import type { Grammar, GrammarCache, GrammarSteps } from '@modelwire/grammar';

/** Compiles the grammars of one request in steps, within its budget. */
export interface Grammars extends GrammarSteps {
  /** The grammar of a part of a schema that was compiled: without a clock and outside the budget, so that the same seed gives the same reply. */
  part(schema: unknown): Grammar;
}

export function requestGrammars(cache: GrammarCache): Grammars {
  return { ...cache.forRequest(), part: (schema) => cache.jsonSchema(schema, { maxMs: Infinity }) };
}
