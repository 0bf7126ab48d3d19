import { GrammarError } from '@modelwire/grammar';
import type { Grammar, Steps } from '@modelwire/grammar';
import type { ChatCompletionCustomTool, ChatCompletionFunctionTool, ChatCompletionTool } from '@modelwire/schema/types';
import type { Grammars } from '../grammar/grammars.ts';
import { orRefuse, stepsOrRefuse } from '../grammar/refusal.ts';
import type { GrammarPlace } from '../grammar/refusal.ts';
import { accepts, repaired } from '../grammar/repaired.ts';
import type { Held } from '../parts.ts';
import type { Breathe } from '../prompt-tokens.ts';
import { fill } from '../values/fill.ts';
import type { LeafGrammarBudget } from '../values/leaf.ts';
import * as phrases from '../values/phrases.ts';
import type { Words } from '../values/source.ts';

/** The schema of a function that takes nothing. */
const nothing = { type: 'object', properties: {}, required: [], additionalProperties: false };

/**
 * What a tool's input is promised to keep to: the parameters of a strict function, the grammar of a custom tool. A 400 where that cannot
 * be enforced, whether the tool is called or not.
 */
export async function promised(
  tool: ChatCompletionTool,
  index: number,
  grammars: Grammars,
  breathe: Breathe,
): Promise<Held | undefined> {
  if (tool.type === 'custom') {
    const { name, format } = tool.custom;
    if (format?.type !== 'grammar') return undefined;
    const { syntax, definition } = format.grammar;
    const path = ['tools', index, 'custom', 'format', 'grammar', 'definition'];
    const place: GrammarPlace = { path, of: `custom tool '${name}'`, kind: 'grammar' };
    return { place, grammar: await stepsOrRefuse(place, grammars.text(syntax, definition), breathe) };
  }
  const { strict, parameters = nothing } = tool.function;
  if (strict !== true) return undefined;
  const place = placeOf(tool, index);
  return { place, grammar: await stepsOrRefuse(place, grammars.jsonSchema(parameters, { strict: true }), breathe) };
}

/** What the input of a tool that is called is held to. Nothing is promised of a function that is not strict: it follows its schema where that can be enforced. */
export async function heldInput(
  tool: ChatCompletionTool,
  index: number,
  grammars: Grammars,
  breathe: Breathe,
): Promise<Held | undefined> {
  const held = await promised(tool, index, grammars, breathe);
  if (held || tool.type === 'custom') return held;
  const place = placeOf(tool, index);
  return { place, grammar: await stepsOrRefuse(place, looseGrammar(tool, grammars), breathe) };
}

function* looseGrammar(
  { function: { parameters = nothing } }: ChatCompletionFunctionTool,
  grammars: Grammars,
): Steps<Grammar> {
  try {
    return yield* grammars.jsonSchema('type' in parameters ? parameters : { ...parameters, type: 'object' });
  } catch (error) {
    if (error instanceof GrammarError && error.code !== 'budget') return yield* grammars.jsonObject();
    throw error;
  }
}

function placeOf(tool: ChatCompletionFunctionTool, index: number): GrammarPlace {
  const { name, parameters } = tool.function;
  return {
    path: ['tools', index, 'function', 'parameters'],
    of: `function '${name}'`,
    kind: 'schema',
    schema: parameters,
  };
}

/** The input of a call, from the words that ask for it. */
export async function inputOf(
  tool: ChatCompletionTool,
  held: Held | undefined,
  words: Words,
  grammars: Grammars,
  leafGrammars: LeafGrammarBudget,
  breathe: Breathe,
): Promise<string> {
  if (tool.type === 'custom') return customInput(tool, held, words);
  const { parameters = nothing } = tool.function;
  if (!held) throw new Error('a function without a grammar');
  const filled = await stepsOrRefuse(held.place, fill(parameters, words, grammars, leafGrammars), breathe);
  return stepsOrRefuse(held.place, repaired(held.grammar, JSON.stringify(filled)), breathe);
}

function customInput({ custom: { name } }: ChatCompletionCustomTool, held: Held | undefined, { text }: Words): string {
  const plain = text
    .replace(
      new RegExp(`\\b(?:use|call|run|with)\\s+(?:the\\s+)?${name.replaceAll('-', '.')}(?:\\s+tool)?\\b`, 'i'),
      ' ',
    )
    .trim();
  const quoted = phrases.quotedIn(plain);
  const likely = [...quoted, phrases.behindColon(plain)].filter((one) => one !== undefined);
  if (!held) return likely[0] ?? plain;
  return orRefuse(held.place, () => {
    const whole = likely.find((one) => accepts(held.grammar, one)) ?? longestFitting(held.grammar, plain);
    return whole ?? held.grammar.start().shortestCompletion();
  });
}

/** Words are tried from each place of a text, so many together. */
const places = 60;
const together = 14;

/** The longest run of words that the grammar accepts, sums also with signs for words. */
function longestFitting(grammar: Grammar, text: string): string | undefined {
  let best: string | undefined;
  for (const one of [text, withSigns(text), withSigns(text).replace(/\s+/g, '')]) {
    const words = one.split(/\s+/).slice(0, places);
    for (let from = 0; from < words.length; from++) {
      for (let count = 1; count <= together && from + count <= words.length; count++) {
        const run = words.slice(from, from + count).join(' ');
        for (const candidate of [run, run.replace(/[.,;:!?]+$/, '')]) {
          if (candidate.length > (best?.length ?? 0) && accepts(grammar, candidate)) best = candidate;
        }
      }
    }
  }
  return best;
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\b(?:times|multiplied by)\b/gi, '*'],
  [/\b(?:divided by|over)\b/gi, '/'],
];

function withSigns(text: string): string {
  return signs.reduce((out, [words, sign]) => out.replace(words, sign), text);
}
