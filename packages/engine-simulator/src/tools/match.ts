import type { ChatCompletionTool } from '@modelwire/schema/types';
import { roleOf, stem, wordsOf, wordsOfName } from '../values/names.ts';
import { all, expressionPattern } from '../values/phrases.ts';
import { isRecord, propertiesOf } from '../values/schema.ts';
import { nameOf } from './choice.ts';

/** Words that say nothing of what a tool is about. */
const generic = new Set(
  'get set fetch find look lookup retrieve do run make take use call show tell give list tool function api query current currently new given the a an to by for of in on at and or with is are it its this that any all from into as be will can which what who how you user returns return value information info data one some not if when please my your me i'.split(
    ' ',
  ),
);

/** A tool as words of a prompt are held against it. */
export interface Profile {
  readonly tool: ChatCompletionTool;
  readonly name: string;
  readonly nameWords: ReadonlySet<string>;
  readonly descriptionWords: ReadonlySet<string>;
  readonly calculates: boolean;
}

export function profileOf(tool: ChatCompletionTool): Profile {
  const name = nameOf(tool);
  const { description = '' } = tool.type === 'function' ? tool.function : tool.custom;
  const words = wordsOfName(name);
  const telling = words.filter((word) => !generic.has(word));
  const about = wordsOf(description.slice(0, 1000)).filter((word) => !generic.has(word) && word.length > 2);
  const parameters = tool.type === 'function' ? tool.function.parameters : undefined;
  const inputs = isRecord(parameters) ? propertiesOf(parameters) : [];
  return {
    tool,
    name,
    nameWords: new Set((telling.length > 0 ? telling : words).map(stem)),
    descriptionWords: new Set(about.map(stem)),
    calculates: inputs.some(([input]) => roleOf(input) === 'expression'),
  };
}

/** A part of a prompt as it is held against every tool. */
export interface PromptWords {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly calculates: boolean;
}

export function promptWords(text: string): PromptWords {
  return {
    text,
    words: new Set(wordsOf(text).map(stem)),
    calculates: all(expressionPattern, text).length > 0,
  };
}

/** How well a part of a prompt fits a tool: 0 not at all; `byName` when words of its name say so. */
export interface Fit {
  readonly score: number;
  readonly byName: boolean;
}

const unfit: Fit = { score: 0, byName: false };

/**
 * A tool is meant where the words hold its name as it is written; a word of its name that is not common to all tools, with half of them or
 * one of its description; two words of its description; or a sum, where it takes an expression. Endings make no difference.
 */
export function fitOf(
  { text, words, calculates: asksToCalculate }: PromptWords,
  { name, nameWords, descriptionWords, calculates }: Profile,
): Fit {
  if (text.includes(name) && name.length > 3 && /[_\d-]|\p{Ll}\p{Lu}/u.test(name)) return { score: 100, byName: true };
  let named = 0;
  for (const word of nameWords) if (words.has(word)) named++;
  let described = 0;
  for (const word of descriptionWords) if (words.has(word) && !nameWords.has(word)) described++;
  if (calculates && asksToCalculate) named = Math.max(named, 1) + 1;
  const score = 3 * named + described;
  if (named > 0 && (2 * named >= nameWords.size || described > 0)) return { score, byName: true };
  return described >= 2 ? { score, byName: false } : unfit;
}
