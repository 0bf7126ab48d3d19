import { MAX_WORK } from './budget.ts';
import type { Limits } from './budget.ts';
import { GrammarError } from './errors.ts';
import type { Grammar } from './grammar.ts';
import { compileJsonObject, compileJsonSchema } from './json/compile.ts';
import type { JsonSchemaOptions } from './json/compile.ts';
import { compileLark } from './lark/compile.ts';
import { compileRegex } from './pattern/compile.ts';

/** Compiles grammars, or returns those that were compiled before. */
export type Grammars = {
  /** @throws GrammarError */
  jsonSchema(schema: unknown, options?: JsonSchemaOptions): Grammar;
  jsonObject(): Grammar;
  /** @throws GrammarError */
  text(syntax: 'lark' | 'regex', definition: string): Grammar;
};

export type GrammarCache = Grammars & {
  /**
   * Compiles the grammars of one request within one budget of work: 9,000,000 steps, three times what one grammar may take.
   * A cached grammar takes nothing of it. The grammar at which the budget ends throws a `GrammarError` of the code `budget`.
   */
  forRequest(): Grammars;
};

/** A step of work leaves 15 to 30 bytes in a grammar. */
const MAX_CACHED_WORK = 12_000_000;
const MAX_CACHED_GRAMMARS = 256;
/** Characters of all schemas and definitions in the cache; one that has an eighth of them or more is not cached. */
const MAX_CACHED_CHARACTERS = 2_000_000;
const MAX_REQUEST_WORK = 3 * MAX_WORK;

type Outcome = { readonly grammar: Grammar } | { readonly error: GrammarError };
type Compile = (limits: Limits) => Grammar;

/**
 * A cache of the grammars that were last used: clients mostly send the same schema again, and states of a grammar share what
 * they learn. Refusals are cached too.
 */
export function createGrammarCache(): GrammarCache {
  const outcomes = new Map<string, Outcome>();
  let work = 0;
  let characters = 0;

  function remove(key: string): void {
    const outcome = outcomes.get(key);
    if (!outcome) return;
    outcomes.delete(key);
    work -= workOf(outcome);
    characters -= key.length;
  }

  function add(key: string, outcome: Outcome): void {
    if (key.length * 8 > MAX_CACHED_CHARACTERS) return;
    outcomes.set(key, outcome);
    work += workOf(outcome);
    characters += key.length;
    for (const oldest of outcomes.keys()) {
      const fits =
        outcomes.size <= MAX_CACHED_GRAMMARS && work <= MAX_CACHED_WORK && characters <= MAX_CACHED_CHARACTERS;
      if (fits) break;
      remove(oldest);
    }
  }

  function lookUp(key: string, compile: Compile, limits: Limits): Grammar {
    const outcome = outcomes.get(key) ?? attempt(() => compile(limits));
    remove(key);
    // A grammar that exceeded its time or the budget of its request may compile the next time.
    const mayCompile = 'error' in outcome && (outcome.error.code === 'limit' || outcome.error.code === 'budget');
    if (!mayCompile) add(key, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.grammar;
  }

  function grammars(limits: Limits): Grammars {
    return {
      jsonSchema: (schema, options = {}) =>
        lookUp(
          `${options.strict === true ? 'strict' : 'loose'} ${JSON.stringify(schema)}`,
          (shared) => compileJsonSchema(schema, { ...options, ...shared }),
          limits,
        ),
      jsonObject: () => lookUp('object', compileJsonObject, limits),
      text: (syntax, definition) => {
        const compile = syntax === 'lark' ? compileLark : compileRegex;
        return lookUp(`${syntax} ${definition}`, (shared) => compile(definition, shared), limits);
      },
    };
  }

  return { ...grammars({}), forRequest: () => grammars({ shared: createRequestBudget() }) };
}

/** What the grammars of one request may take together. */
function createRequestBudget(): Required<Limits>['shared'] {
  let work = 0;
  return {
    work(steps) {
      work += steps;
      if (work <= MAX_REQUEST_WORK) return;
      const limit = MAX_REQUEST_WORK.toLocaleString('en-US');
      const reason = `the schemas and grammars of this request together need more than ${limit} steps to compile, the limit of one request; send fewer tools or smaller schemas`;
      throw new GrammarError('budget', reason);
    },
  };
}

function workOf(outcome: Outcome): number {
  return 'error' in outcome ? 0 : outcome.grammar.cost.work;
}

function attempt(compile: () => Grammar): Outcome {
  try {
    return { grammar: compile() };
  } catch (error) {
    if (error instanceof GrammarError) return { error };
    throw error;
  }
}
