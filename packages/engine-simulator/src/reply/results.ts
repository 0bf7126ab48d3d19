import type { WebSearchResult } from '@modelwire/ports';
import type { AnsweredCall } from '../prompt/conversation.ts';
import type { Media } from '../prompt/media.ts';
import { always, joinWords, medium, quote } from './reply.ts';
import type { Reply } from './reply.ts';

/** Describes the results of tools. */
export function toolResults(calls: readonly AnsweredCall[]): Reply | undefined {
  const answered = calls.flatMap(({ name, input, result }) => (result === undefined ? [] : [{ name, input, result }]));
  const [first] = answered;
  if (!first) return undefined;
  const lines = answered.map(({ name, input, result }, index) => {
    const values = scalarsIn(parseJson(input)).slice(0, 4).join(', '); // prettier-ignore
    const source = `${index === 0 ? '' : ' '}According to ${name}${values === '' ? '' : ` (${quote(values)})`}`;
    return always(`${source}, ${told(result)}.`, `${source}: ${told(result)}.`);
  });
  const [value = first.result] = scalarsIn(parseJson(first.result));
  const source = medium(' The Modelwire simulator repeats what tools return.', ' This is what the tool returned.');
  return { lines: [...lines, source], word: `${quote(String(value), 40)}.` };
}

function told(result: string): string {
  const value = parseJson(result) ?? result;
  if (typeof value === 'string') return `“${quote(value, 400)}”`;
  if (typeof value !== 'object' || Array.isArray(value)) return `the result is ${shown(value)}`;
  const facts = Object.entries(value).map(([name, one]) => `${name.replaceAll('_', ' ')} is ${shown(one)}`);
  return facts.length === 0 ? 'the result is empty' : joinWords(facts.slice(0, 12));
}

function shown(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 300);
}

/** The values that tools returned by name, in lower case; of equal names the last. */
export function factsIn(calls: readonly AnsweredCall[]): ReadonlyMap<string, unknown> {
  const facts = new Map<string, unknown>();
  const add = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 5) return;
    for (const [name, inner] of Object.entries(value).slice(0, 50) as [string, unknown][]) {
      if (!Array.isArray(value)) facts.set(name.toLowerCase(), inner);
      add(inner, depth + 1);
    }
  };
  for (const { result = '' } of calls) add(parseJson(result), 0);
  return facts;
}

function scalarsIn(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return value === undefined ? [] : [value];
}

/** Undefined for invalid JSON, and for texts that are too long to parse. */
function parseJson(text: string): unknown {
  try {
    return text.length > 4000 ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** The results of a web search, each with the number it is cited by. */
export function searchResults(results: readonly WebSearchResult[]): Reply {
  if (results.length === 0) return { lines: [always('The search found nothing.')], word: 'Nothing.' };
  const lines = results.slice(0, 3).map(({ title, text }, index) => {
    const sentence = /^[^\n]*?[.!?](?=\s|$)/.exec(text.slice(0, 300))?.[0] ?? (text === '' ? title : text);
    const said = `${quote(title)}, “${quote(sentence)}” [${index + 1}].`;
    return index === 0 ? always(`According to ${said}`, `The search found this: ${said}`) : medium(` According to ${said}`, ` It also found this: ${said}`); // prettier-ignore
  });
  return { lines, word: `${quote(results[0]?.title ?? '', 40)}.` };
}

/** Describes images and audio by their headers: the simulator cannot process their content. */
export function mediaReply(media: readonly Media[]): Reply | undefined {
  if (media.length === 0) return undefined;
  const all = joinWords(media.map(({ description }) => description));
  const lines = [
    always(`You sent ${all}.`, `Your message contains ${all}.`),
    always(
      ' I am the Modelwire simulator, so I neither see nor hear what is in it.',
      ' The Modelwire simulator reads only the headers of images and audio.',
    ),
    medium(' A real model would look and listen.', ' Configure a real model for that.'),
  ];
  return { lines, word: media[0]?.kind === 'audio' ? 'Audio.' : 'Image.' };
}
