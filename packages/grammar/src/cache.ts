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
  /** @throws GrammarError */
  jsonSchema(schema: unknown, options?: JsonSchemaOptions): Grammar;
  jsonObject(): Grammar;
  /** @throws GrammarError */
  text(syntax: 'lark' | 'regex', definition: string): Grammar;
};

export type GrammarCache = Grammars & {
  /**
   * Compiles the grammars of one request within one budget of 9,000,000 steps, three times that of one grammar. Cached grammars
   * cost nothing. The grammar that exceeds the budget throws a `GrammarError` with the code `budget`. Concurrent requests for
   * the same grammar share its compilation.
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

/** A step of work leaves 15 to 30 bytes in a grammar. */
const MAX_CACHED_WORK = 12_000_000;
const MAX_CACHED_GRAMMARS = 256;
/** Maximum characters of all schemas and definitions in the cache; one with an eighth of it or more is not cached. */
const MAX_CACHED_CHARACTERS = 2_000_000;
const MAX_REQUEST_WORK = 3 * MAX_WORK;

type Outcome = { readonly grammar: Grammar } | { readonly error: GrammarError };
type Compile = (limits: Limits) => Steps<Grammar>;

/**
 * An LRU cache of grammars: clients usually send the same schema again, and the states of a grammar share cached transitions.
 * Rejections are cached too.
 */
export function createGrammarCache(): GrammarCache {
  const outcomes = new Map<string, Outcome>();
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

  function add(key: string, outcome: Outcome): void {
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
    const outcome = outcomes.get(key) ?? (yield* compiled(key, compile, limits));
    remove(key);
    if (!mayCompileLater(outcome)) add(key, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.grammar;
  }

  function* compiled(key: string, compile: Compile, limits: Limits): Steps<Outcome> {
    const running = compilations.get(key);
    if (running) {
      const outcome = yield* takePart(key, running);
      // The budget of another request does not apply to this one.
      if (!mayCompileLater(outcome)) return outcome;
    }
    const compilation: Compilation = { steps: compile(limits), outcome: undefined, participants: 0 };
    compilations.set(key, compilation);
    return yield* takePart(key, compilation);
  }

  /** Each request that needs the grammar takes steps of its compilation in turn. */
  function* takePart(key: string, compilation: Compilation): Steps<Outcome> {
    compilation.participants++;
    try {
      for (;;) {
        compilation.outcome ??= stepOf(compilation.steps);
        if (compilation.outcome) return compilation.outcome;
        yield;
      }
    } finally {
      compilation.participants--;
      const isOver = compilation.outcome !== undefined || compilation.participants === 0;
      if (isOver && compilations.get(key) === compilation) compilations.delete(key);
    }
  }

  function grammarSteps(limits: Limits): GrammarSteps {
    return {
      jsonSchema: (schema, options = {}) =>
        lookUp(
          `${variantOf(options)} ${JSON.stringify(schema)}`,
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

/** The options that change a grammar. */
function variantOf({
  strict = false,
  whitespace = 'compact',
  unspecified = 'reject',
  propertyOrder = 'schema',
}: JsonSchemaOptions): string {
  return [strict ? 'strict' : 'loose', whitespace, unspecified, propertyOrder].join(' ');
}

/** A grammar that exceeded its time or the budget of its request may compile the next time. */
function mayCompileLater(outcome: Outcome): boolean {
  return 'error' in outcome && (outcome.error.code === 'limit' || outcome.error.code === 'budget');
}

/** Maximum steps of all grammars of one request. */
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
    admits: (cost) => work + cost.work <= MAX_REQUEST_WORK,
  };
}

function workOf(outcome: Outcome): number {
  return 'error' in outcome ? 0 : outcome.grammar.cost.work;
}

/** A grammar that is being compiled. */
type Compilation = {
  readonly steps: Steps<Grammar>;
  outcome: Outcome | undefined;
  /** Requests that wait for it. Without any it is aborted. */
  participants: number;
};

/** Takes one step; undefined until the last. */
function stepOf(steps: Steps<Grammar>): Outcome | undefined {
  try {
    const next = steps.next();
    return next.done === true ? { grammar: next.value } : undefined;
  } catch (error) {
    if (error instanceof GrammarError) return { error };
    throw error;
  }
}
