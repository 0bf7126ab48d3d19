import type { Grammar, GrammarSteps, Steps } from '@modelwire/grammar';
import type { Constraint } from '../constraint.ts';
import { withSigns } from '../reply/arithmetic.ts';
import type { ValueSource } from './candidates.ts';
import { quotedIn, textAfterColon } from './phrases.ts';
import { schemaOfPrompt } from './prompt-schema.ts';
import { writeJson } from './write-json.ts';

/** Writes a text that follows a grammar of the request, from what the source asks for. */
export function* writeText(constraint: Constraint, grammars: GrammarSteps, source: ValueSource): Steps<string> {
  const { grammar, origin } = constraint;
  if (origin.source.type === 'json_schema') return yield* writeJson(grammar, origin.source.schema, source);
  if (origin.source.type !== 'json_object') return yield* matchingText(grammar, source.text);
  const { schema, text } = schemaOfPrompt(source);
  return yield* writeJson(yield* grammars.jsonSchema(schema), schema, { ...source, text });
}

/** What a prompt may give as free text, the likeliest first: a quotation, the text after a colon, or all of it. */
export function freeTexts(prompt: string): readonly string[] {
  return [...quotedIn(prompt), textAfterColon(prompt), prompt].filter((one) => one !== '');
}

/** The first likely text that the grammar accepts, else the longest run of at most 14 words, also with signs for the words of operations. */
function* matchingText(grammar: Grammar, prompt: string): Steps<string> {
  const runs = [prompt, withSigns(prompt), withSigns(prompt).replace(/\s+/g, '')].flatMap((variant) => {
    const words = variant.split(/\s+/).slice(0, 60);
    return words.flatMap((_, from) =>
      Array.from({ length: 14 }, (_, count) => words.slice(from, from + count + 1).join(' ')),
    );
  });
  const byLength = runs.flatMap((run) => [run, run.replace(/[.,;:!?]+$/, '')]).sort((a, b) => b.length - a.length);
  for (const text of new Set([...freeTexts(prompt), ...byLength])) {
    if (text !== '' && grammar.start().advance(text)?.canEnd() === true) return text;
    yield;
  }
  return grammar.start().shortestCompletion();
}
