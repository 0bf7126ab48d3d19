import { createReadStream, openSync, readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { compileJsonSchema, createTokenMasker, GrammarError } from '@modelwire/grammar';
import type { Grammar, TokenMasker } from '@modelwire/grammar';
import type { Outcome, TokenizedProblem, Vocabulary } from './outcome.ts';

// The process that measures `@modelwire/grammar`: node modelwire.ts <problems.jsonl> <outcomes.jsonl> <vocabulary.json>
const [problems = '', outcomes = '', vocabularyFile = ''] = process.argv.slice(2);
// Few objects stay in memory beside those of the library: its masks include the garbage collections that happen meanwhile.
const { bytesOf, masker } = prepare(vocabularyFile);
const file = openSync(outcomes, 'w');
for await (const line of createInterface({ input: createReadStream(problems) })) {
  writeSync(file, `${JSON.stringify(solve(JSON.parse(line) as TokenizedProblem))}\n`);
}

function prepare(path: string): { readonly bytesOf: (token: number) => Uint8Array; readonly masker: TokenMasker } {
  const { tokens } = JSON.parse(readFileSync(path, 'utf8')) as Vocabulary;
  const vocabulary = tokens.map((token) => Buffer.from(token, 'base64'));
  const bytes = Buffer.concat(vocabulary);
  const ends = new Uint32Array(vocabulary.length);
  let end = 0;
  vocabulary.forEach((token, id) => (ends[id] = end += token.length));
  return { bytesOf: (id) => bytes.subarray(ends[id - 1] ?? 0, ends[id]), masker: createTokenMasker(vocabulary) };
}

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
    const bytes = bytesOf(token);
    const began = performance.now();
    const next = masker.allowed(state).has(token) ? state.advance(bytes) : undefined;
    masksUs.push((performance.now() - began) * 1000);
    if (next === undefined) return false;
    state = next;
  }
  return state.canEnd();
}
