import { GrammarError } from '@modelwire/grammar';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import { all, figuresIn, namesIn, quotedIn } from '../values/phrases.ts';
import { listOf, propertiesOf, resolved, typesOf } from '../values/schema.ts';
import type { Schema } from '../values/schema.ts';
import { fitOf, profileOf, promptWords } from './match.ts';
import type { Fit, Profile } from './match.ts';

/** A call that a prompt asks for, and the part of the prompt that says what with. */
export interface Wanted {
  readonly tool: ChatCompletionTool;
  readonly text: string;
}

/** No prompt asks for more calls at once. */
const mostCalls = 16;

/**
 * The calls that a prompt asks for. Its parts - sentences, and what commas, `and` and `then` join - that fit a tool begin a call of the one
 * that fits best; a part that fits none belongs to the call before it. One that is just another name, number or quotation is a
 * further call of the same tool, if the tool has one place for it: "the weather in Paris and London" are two.
 */
export function wantedCalls(prompt: string, tools: readonly ChatCompletionTool[]): readonly Wanted[] {
  const profiles = tools.map(profileOf);
  /** `from`: where its words begin in the prompt; undefined where they were put together. */
  const calls: { tool: ChatCompletionTool; text: string; from: number | undefined }[] = [];
  for (const { from, end } of partsOf(prompt)) {
    const part = prompt.slice(from, end);
    const before = calls.at(-1);
    const best = bestOf(part, profiles);
    if (best !== undefined && (before === undefined || best.profile.tool !== before.tool || best.fit.byName)) {
      const begin = before === undefined ? 0 : from;
      calls.push({ tool: best.profile.tool, text: prompt.slice(begin, end), from: begin });
    } else if (before !== undefined) {
      const item = itemIn(part);
      const text = item !== undefined && hasOnePlace(before.tool, item) ? replaced(before.text, item, part) : undefined;
      if (text !== undefined) calls.push({ tool: before.tool, text, from: undefined });
      else before.text = before.from === undefined ? `${before.text} ${part}` : prompt.slice(before.from, end);
    }
    if (calls.length === mostCalls) break;
  }
  if (calls.length > 0) return calls;
  // Each part says little; together they may say enough.
  const best = bestOf(prompt, profiles);
  return best === undefined ? [] : [{ tool: best.profile.tool, text: prompt }];
}

function bestOf(text: string, profiles: readonly Profile[]): { profile: Profile; fit: Fit } | undefined {
  let best: { profile: Profile; fit: Fit } | undefined;
  const prompt = promptWords(text);
  for (const profile of profiles) {
    const fit = fitOf(prompt, profile);
    if (fit.score > (best?.fit.score ?? 0)) best = { profile, fit };
  }
  return best;
}

/** The tool that fits best, however little. */
export function likeliest(prompt: string, tools: readonly ChatCompletionTool[]): ChatCompletionTool | undefined {
  return bestOf(prompt, tools.map(profileOf))?.profile.tool ?? tools[0];
}

const separator =
  /[.!?;]+(?:\s+|$)|\n+|,?\s+(?:and|then|also)\s+(?:(?:then|also|please)\s+)?|,\s+(?![A-Z]{2,3}(?![A-Za-z0-9]))/g;

function partsOf(prompt: string): { from: number; end: number }[] {
  const kept = quotedIn(prompt).map((quoted) => {
    const at = prompt.indexOf(quoted);
    return [at, at + quoted.length] as const;
  });
  // What follows a colon is a text of its own.
  const colon = prompt.search(/:\s/);
  const parts: { from: number; end: number }[] = [];
  let from = 0;
  for (const { 0: found, index } of prompt.matchAll(separator)) {
    if (kept.some(([start, end]) => index >= start && index < end) || (colon !== -1 && index > colon)) continue;
    if (prompt.slice(from, index).trim() !== '') parts.push({ from, end: index });
    from = index + found.length;
  }
  if (prompt.slice(from).trim() !== '') parts.push({ from, end: prompt.length });
  return parts;
}

const little = /^(?:in|for|at|of|to|from|with|about)\s+/i;

/** The name, number or quotation that a part is, with a small word before it and perhaps a wish behind it. */
function itemIn(part: string): string | undefined {
  const plain = part
    .trim()
    .replace(little, '')
    .replace(/[?.!]+$/, '');
  const [first] = [...quotedIn(plain), ...namesIn(`. ${plain}`)];
  const item =
    first !== undefined && plain.replace(/^["“'‘`]/, '').startsWith(first)
      ? first
      : /^-?\d+(?:\.\d+)?/.exec(plain)?.[0];
  if (item === undefined) return undefined;
  const rest = plain.slice(plain.indexOf(item) + item.length).replace(/^["”'’`]/, '');
  return /^(?:\s+(?:in|with|using|on|at|for)\s[^\p{Lu}]*|\s*)$/u.test(rest) ? item : undefined;
}

function hasOnePlace(tool: ChatCompletionTool, item: string): boolean {
  if (tool.type === 'custom') return false;
  const { parameters } = tool.function;
  const counted = countedInputs(parameters);
  if (counted.some(([, input]) => typesOf(input).includes('array'))) return false;
  const isNumber = figuresIn(item).length > 0 && namesIn(item).length === 0;
  const places = counted.filter(([, input]) => {
    const [type] = typesOf(input);
    return isNumber
      ? type === 'number' || type === 'integer'
      : type === 'string' && !('enum' in input) && !('const' in input);
  });
  return places.length === 1;
}

/** The inputs that a call has to give, or all where none is required; none of a schema that is refused when the call is written. */
function countedInputs(parameters: unknown): readonly (readonly [name: string, schema: Schema])[] {
  try {
    const schema = resolved(parameters, parameters);
    const required = new Set(listOf(schema['required']));
    return propertiesOf(schema)
      .filter(([name]) => required.size === 0 || required.has(name))
      .map(([name, given]) => [name, resolved(given, parameters)] as const);
  } catch (error) {
    if (error instanceof GrammarError) return [];
    throw error;
  }
}

/** The words of a call with another item in the place of its last, and what else the part says. */
function replaced(text: string, item: string, part: string): string | undefined {
  const items = [...namesIn(text), ...quotedIn(text), ...all(/-?\d+(?:\.\d+)?/g, text)];
  const at = Math.max(...items.map((one) => text.lastIndexOf(one)));
  const last = items.find((one) => text.lastIndexOf(one) === at);
  const rest = part.slice(part.indexOf(item) + item.length);
  return last === undefined ? undefined : `${text.slice(0, at)}${item}${text.slice(at + last.length)}${rest}`;
}
