import { createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { compileJsonSchema, createTokenMasker, GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import type { Outcome, TokenizedProblem } from './outcome.ts';
import { vocabulary } from './vocabulary.ts';

// The process that measures `@modelwire/grammar`: node modelwire.ts <problems.jsonl> <outcomes.jsonl>
const [problems = '', outcomes = ''] = process.argv.slice(2);
const bytesOf = vocabulary();
const masker = createTokenMasker(bytesOf);
const lines: string[] = [];
for await (const line of createInterface({ input: createReadStream(problems) })) {
  lines.push(JSON.stringify(solve(JSON.parse(line) as TokenizedProblem)));
}
writeFileSync(outcomes, lines.join('\n'));

function solve({ id, schema, tests }: TokenizedProblem): Outcome {
  const masksUs: number[] = [];
  const rejected: number[] = [];
  const accepted: number[] = [];
  const began = performance.now();
  let grammar: Grammar;
  try {
    grammar = compileJsonSchema(schema, { unspecified: 'allow', propertyOrder: 'any' });
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    return { id, compileMs: performance.now() - began, refused: error.message, rejected, accepted, masksUs };
  }
  const compileMs = performance.now() - began;
  tests.forEach(({ valid, tokens }, index) => {
    const fits = followWithinLimits(grammar, tokens, masksUs);
    if (fits && !valid) accepted.push(index);
    if (!fits && valid) rejected.push(index);
  });
  return { id, compileMs, refused: null, rejected, accepted, masksUs };
}

/** A text that exceeds the limits of ambiguity is not accepted. */
function followWithinLimits(grammar: Grammar, tokens: readonly number[], masksUs: number[]): boolean {
  try {
    return follow(grammar, tokens, masksUs);
  } catch (error) {
    if (error instanceof GrammarError) return false;
    throw error;
  }
}

/** Whether the grammar allows each token, and the end after them. */
function follow(grammar: Grammar, tokens: readonly number[], masksUs: number[]): boolean {
  let state = grammar.start();
  for (const token of tokens) {
    const began = performance.now();
    const next = masker.allowed(state).has(token) ? state.advance(bytesOf[token] ?? new Uint8Array()) : undefined;
    masksUs.push((performance.now() - began) * 1000);
    if (next === undefined) return false;
    state = next;
  }
  return state.canEnd();
}
