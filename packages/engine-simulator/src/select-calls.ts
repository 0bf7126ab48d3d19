import { isRecord, toolName, toolPermission } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import type { Conversation } from './prompt/conversation.ts';
import { all, expressions, namesIn, quotations, quotedIn, stem, wordsOf, wordsOfName } from './values/phrases.ts';

/** A call that the prompt asks for, and the part of the prompt that its input is taken from. */
export interface SelectedCall {
  readonly tool: ChatCompletionTool;
  readonly text: string;
}

const maxCalls = 16;
/** Words that say nothing of what a tool is for. */
const generic = new Set(
  'get set fetch find look lookup retrieve do run make take use call show tell give list tool function api query current currently new given the a an to by for of in on at and or with is are it its this that any all from into as be will can which what who how you user returns return value information info data one some not if when please my your me i'.split(
    ' ',
  ),
);

/**
 * The calls of a reply; none if it is text. Calls that the last user message requests are made once: calls that were made since then are
 * not repeated, and the reply contains their results.
 */
export function selectCalls(request: ChatRequest, { head, calls }: Conversation): readonly SelectedCall[] {
  const { tools, isRequired, isSingle } = toolPermission(request);
  if (tools.length === 0) return [];
  const remaining = [...wantedCalls(head, tools)];
  for (const { name } of calls) {
    const index = remaining.findIndex(({ tool }) => toolName(tool) === name);
    if (index !== -1) remaining.splice(index, 1);
  }
  if (remaining.length > 0) return isSingle ? remaining.slice(0, 1) : remaining;
  const [tool] = isRequired ? tools : [];
  return tool ? [{ tool, text: head }] : [];
}

/**
 * Each part of the prompt that fits a tool is a call of the one that fits best. A part that begins with a name, number or
 * quotation is a further call of the same tool, if that has one place for it: "the weather in Paris and London" are two.
 */
function wantedCalls(prompt: string, tools: readonly ChatCompletionTool[]): readonly SelectedCall[] {
  const calls: { readonly tool: ChatCompletionTool; readonly start: number; end: number }[] = [];
  for (const { start, end } of partsOf(prompt)) {
    const part = prompt.slice(start, end);
    const previous = calls.at(-1);
    const best = bestMatch(part, tools);
    if (best && (!previous || best.tool !== previous.tool || best.score >= namedScore)) {
      calls.push({ tool: best.tool, start: previous ? start : 0, end });
    } else if (previous && isItem(part) && hasSinglePlaceParameter(previous.tool)) {
      calls.push({ tool: previous.tool, start, end });
    } else if (previous) previous.end = end;
  }
  // Each part may say too little, and all of them enough.
  const best = calls.length === 0 ? bestMatch(prompt, tools) : undefined;
  if (best) return [{ tool: best.tool, text: prompt }];
  return calls.slice(0, maxCalls).map(({ tool, start, end }) => ({ tool, text: prompt.slice(start, end) }));
}

/** The score of each word of a tool's name in a text; a word of its description scores 1. */
const namedScore = 100;

function bestMatch(text: string, tools: readonly ChatCompletionTool[]) {
  const words = new Set(wordsOf(text).map(stem));
  const matches = tools.map((tool) => ({ tool, score: scoreOf(tool, text, words) }));
  return matches.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0];
}

/**
 * A tool fits where the text has its name as written; a word of its name, with half of them or a word of its description; two words of
 * its description; or a sum, where it takes an expression. Endings make no difference.
 */
function scoreOf(tool: ChatCompletionTool, text: string, words: ReadonlySet<string>): number {
  const name = toolName(tool);
  const isWritten = name.length > 3 && /[_\d-]|\p{Ll}\p{Lu}/u.test(name) && text.includes(name);
  const { description = '' } = tool.type === 'function' ? tool.function : tool.custom;
  const nameWords = wordsOfName(name);
  const telling = nameWords.filter((word) => !generic.has(word));
  const stems = new Set((telling.length > 0 ? telling : nameWords).map(stem));
  const about = wordsOf(description.slice(0, 1000)).filter((word) => !generic.has(word) && word.length > 2);
  const described = new Set(about.map(stem).filter((word) => words.has(word) && !stems.has(word))).size;
  const isSum = Object.hasOwn(inputsOf(tool), 'expression') && all(expressions, text).length > 0;
  const named = [...stems].filter((word) => words.has(word)).length + (isSum ? 2 : 0) + (isWritten ? 100 : 0);
  if (named > 0 && (2 * named >= stems.size || described > 0)) return named * namedScore + described;
  return described >= 2 ? described : 0;
}

const separators =
  /[.!?;]+(?:\s+|$)|\n+|,?\s+(?:and|then|also)\s+(?:(?:then|also|please)\s+)?|,\s+(?![A-Z]{2,3}(?![A-Za-z0-9]))/g;
const indivisible = new RegExp(String.raw`${quotations.source}|:\s[^]*`, 'gu');

/** Sentences, and what commas, `and` and `then` join. Quotations, and what follows a colon, are not divided. */
function partsOf(prompt: string): { readonly start: number; readonly end: number }[] {
  const divisible = prompt.replace(indivisible, (whole) => '_'.repeat(whole.length));
  const found = [...divisible.matchAll(separators)];
  const starts = [0, ...found.map(({ 0: separator, index }) => index + separator.length)];
  const parts = starts.map((start, at) => ({ start, end: found[at]?.index ?? prompt.length }));
  return parts.filter(({ start, end }) => prompt.slice(start, end).trim() !== '');
}

/** Whether a part is a name, number or quotation, with a preposition before it and perhaps a phrase behind it. */
function isItem(part: string): boolean {
  const plain = part
    .trim()
    .replace(/^(?:in|for|at|of|to|from|with|about)\s+/i, '')
    .replace(/^["“'‘`]/, '');
  const found = [...quotedIn(part), ...namesIn(`. ${plain}`), ...all(/-?\d[\d.]*/g, plain)];
  const item = found.find((one) => plain.startsWith(one));
  return (
    item !== undefined &&
    /^["”'’`]?(?:\s+(?:in|with|using|on|at|for)\s[^\p{Lu}]*)?[?.!]*$/u.test(plain.slice(item.length))
  );
}

function inputsOf(tool: ChatCompletionTool): Readonly<Record<string, unknown>> {
  const { properties } = (tool.type === 'function' ? tool.function.parameters : undefined) ?? {};
  return isRecord(properties) ? properties : {};
}

/** Whether a tool has a single input that is neither a choice of constants nor a list. */
function hasSinglePlaceParameter(tool: ChatCompletionTool): boolean {
  const schemas = Object.values(inputsOf(tool)).map((schema) => JSON.stringify(schema));
  return (
    schemas.filter((schema) => !schema.includes('"enum"')).length === 1 &&
    !schemas.some((schema) => schema.includes('"array"'))
  );
}
