import { MAX_WORK } from './budget.ts';
import type { Limits } from './budget.ts';
import { GrammarError } from './errors.ts';
import type { Grammar } from './grammar.ts';
import { compileJsonObject, compileJsonSchemaSteps } from './json/compile.ts';
import type { JsonSchemaOptions } from './json/compile.ts';
import { compileLarkSteps } from './lark/compile.ts';
import { compileRegexSteps } from './pattern/compile.ts';
import { runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** Compiles grammars, or returns cached ones. */
export type Grammars = {
  /** Like `compileJsonSchema`. @throws GrammarError */
  jsonSchema(schema: unknown, options?: JsonSchemaOptions): Grammar;
  /** Like `compileJsonObject`. */
  jsonObject(): Grammar;
  /** Like `compileLark` or `compileRegex`. @throws GrammarError */
  text(syntax: 'lark' | 'regex', definition: string): Grammar;
};

export type GrammarCache = Grammars & {
  /**
   * Compiles the grammars of one request within a common budget of 9,000,000 steps of work, three times the limit of one grammar.
   * Cached grammars cost nothing. The grammar that exceeds the budget throws a `GrammarError` with the code `budget`. Concurrent
   * requests for the same grammar share its compilation.
   */
  forRequest(): GrammarSteps;
};

/** Compiles grammars in steps of about a millisecond, or returns cached ones. */
export type GrammarSteps = {
  /** @throws GrammarError */
  jsonSchema(schema: unknown, options?: JsonSchemaOptions): Steps<Grammar>;
  jsonObject(): Steps<Grammar>;
  /** @throws GrammarError */
  text(syntax: 'lark' | 'regex', definition: string): Steps<Grammar>;
};

/** Maximum work of all cached grammars: a grammar takes 15 to 30 bytes of memory per step of work. */
const MAX_CACHED_WORK = 12_000_000;
const MAX_CACHED_GRAMMARS = 256;
/** Maximum characters of all cached schemas and definitions. One with more than an eighth of them is not cached. */
const MAX_CACHED_CHARACTERS = 2_000_000;
const MAX_REQUEST_WORK = 3 * MAX_WORK;

type CompileResult = { readonly grammar: Grammar } | { readonly error: GrammarError };
type Compile = (limits: Limits) => Steps<Grammar>;

/**
 * Creates an LRU cache of up to 256 grammars: clients usually send the same schema again, and the states of a grammar share cached
 * transitions. Errors are cached too, except those with the code `limit` or `budget`.
 */
export function createGrammarCache(): GrammarCache {
  const outcomes = new Map<string, CompileResult>();
  const compilations = new Map<string, Compilation>();
  let work = 0;
  let characters = 0;

  function remove(key: string): void {
    const outcome = outcomes.get(key);
    if (!outcome) return;
    outcomes.delete(key);
    work -= workOf(outcome);
    characters -= key.length;
  }

  function add(key: string, outcome: CompileResult): void {
    if (key.length * 8 > MAX_CACHED_CHARACTERS) return;
    outcomes.set(key, outcome);
    work += workOf(outcome);
    characters += key.length;
    for (const oldest of outcomes.keys()) {
      const isWithinLimits =
        outcomes.size <= MAX_CACHED_GRAMMARS && work <= MAX_CACHED_WORK && characters <= MAX_CACHED_CHARACTERS;
      if (isWithinLimits) break;
      remove(oldest);
    }
  }

  function* lookUp(key: string, compile: Compile, limits: Limits): Steps<Grammar> {
    const outcome = outcomes.get(key) ?? (yield* compileOnce(key, compile, limits));
    remove(key);
    if (!isRetryable(outcome)) add(key, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.grammar;
  }

  function* compileOnce(key: string, compile: Compile, limits: Limits): Steps<CompileResult> {
    const running = compilations.get(key);
    if (running) {
      const outcome = yield* joinCompilation(key, running);
      // The budget of another request does not apply to this one.
      if (!isRetryable(outcome)) return outcome;
    }
    const compilation: Compilation = { steps: compile(limits), outcome: undefined, waiters: 0 };
    compilations.set(key, compilation);
    return yield* joinCompilation(key, compilation);
  }

  /** All requests that wait for the compilation run its steps in turn. */
  function* joinCompilation(key: string, compilation: Compilation): Steps<CompileResult> {
    compilation.waiters++;
    try {
      for (;;) {
        compilation.outcome ??= runStep(compilation.steps);
        if (compilation.outcome) return compilation.outcome;
        yield;
      }
    } finally {
      compilation.waiters--;
      const hasEnded = compilation.outcome !== undefined || compilation.waiters === 0;
      if (hasEnded && compilations.get(key) === compilation) compilations.delete(key);
    }
  }

  function grammarSteps(limits: Limits): GrammarSteps {
    return {
      jsonSchema: (schema, options = {}) =>
        lookUp(
          `${optionsKey(options)} ${JSON.stringify(schema)}`,
          (shared) => compileJsonSchemaSteps(schema, { ...options, ...shared }),
          limits,
        ),
      jsonObject: () =>
        lookUp(
          'object',
          function* () {
            return compileJsonObject();
          },
          limits,
        ),
      text: (syntax, definition) => {
        const compile = syntax === 'lark' ? compileLarkSteps : compileRegexSteps;
        return lookUp(`${syntax} ${definition}`, (shared) => compile(definition, shared), limits);
      },
    };
  }

  const synchronous = grammarSteps({});
  return {
    jsonSchema: (schema, options) => runSteps(synchronous.jsonSchema(schema, options)),
    jsonObject: () => runSteps(synchronous.jsonObject()),
    text: (syntax, definition) => runSteps(synchronous.text(syntax, definition)),
    forRequest: () => grammarSteps({ shared: createRequestBudget() }),
  };
}

/** A key of the options that affect the grammar. */
function optionsKey({
  strict = false,
  whitespace = 'compact',
  unspecified = 'reject',
  propertyOrder = 'schema',
  longIntegers = false,
}: JsonSchemaOptions): string {
  const integers = longIntegers ? 'long' : 'safe';
  return [strict ? 'strict' : 'loose', whitespace, unspecified, propertyOrder, integers].join(' ');
}

/** A compilation that exceeded its time or the budget of its request can succeed the next time. */
function isRetryable(outcome: CompileResult): boolean {
  return 'error' in outcome && (outcome.error.code === 'limit' || outcome.error.code === 'budget');
}

/** Limits the work of all grammars of one request. */
function createRequestBudget(): Required<Limits>['shared'] {
  let work = 0;
  return {
    addWork(steps) {
      work += steps;
      if (work <= MAX_REQUEST_WORK) return;
      const limit = MAX_REQUEST_WORK.toLocaleString('en-US');
      const reason = `the schemas and grammars of this request together need more than ${limit} steps to compile, the limit of one request; send fewer tools or smaller schemas`;
      throw new GrammarError('budget', reason);
    },
    canAfford: (cost) => work + cost.work <= MAX_REQUEST_WORK,
  };
}

function workOf(outcome: CompileResult): number {
  return 'error' in outcome ? 0 : outcome.grammar.cost.work;
}

/** A grammar that is being compiled. */
type Compilation = {
  readonly steps: Steps<Grammar>;
  outcome: CompileResult | undefined;
  /** The number of requests that wait for it. It is aborted when the last one leaves. */
  waiters: number;
};

/** Runs one step. Returns `undefined` unless it was the last. */
function runStep(steps: Steps<Grammar>): CompileResult | undefined {
  try {
    const next = steps.next();
    return next.done === true ? { grammar: next.value } : undefined;
  } catch (error) {
    if (error instanceof GrammarError) return { error };
    throw error;
  }
}
