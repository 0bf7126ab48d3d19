import { isRecord, parseJson } from '@modelwire/adapter-kit';
import type { AnsweredCall } from '../prompt/conversation.ts';
import { always, joinWords, medium, quote } from './reply.ts';
import type { ReplyTemplate } from './reply.ts';

/** Repeats what tools returned. */
export const toolResults: ReplyTemplate = ({ calls }) => {
  const answered = calls.flatMap(({ name, input, result }) => (result === undefined ? [] : [{ name, input, result }]));
  const [first] = answered;
  if (!first) return undefined;
  const lines = answered.map(({ name, input, result }, index) => {
    const values = quote(scalarsIn(parseJson(input)).slice(0, 4).join(', '));
    const source = values === '' ? name : `${name} (${values})`;
    const space = index === 0 ? '' : ' ';
    return always(
      `${space}According to ${source}, ${told(result)}.`,
      `${space}The tool ${source} says: ${told(result)}.`,
    );
  });
  const [value = first.result] = scalarsIn(parseJson(first.result));
  const label = medium(' The Modelwire simulator repeats what tools return.');
  return { lines: [...lines, label], word: quote(String(value), 40) };
};

function told(result: string): string {
  const value = parseJson(result) ?? result;
  if (typeof value === 'string') return `“${quote(value, 400)}”`;
  if (!isRecord(value)) return `the result is ${shown(value)}`;
  const facts = Object.entries(value).map(([name, one]) => `${name.replaceAll('_', ' ')} is ${shown(one)}`);
  return facts.length === 0 ? 'the result is empty' : joinWords(facts.slice(0, 12));
}

function shown(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 300);
}

/** The values that tools returned by name, in lower case; of equal names the last. */
export function factsIn(calls: readonly AnsweredCall[]): ReadonlyMap<string, unknown> {
  const results = calls.map(({ result = '' }) => parseJson(result)).filter(isRecord);
  const fields = results.flatMap((result) => Object.entries(result));
  return new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
}

function scalarsIn(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return value === undefined ? [] : [value];
}

/** Repeats the results of a web search, each with the number it is cited by. */
export const searchResults: ReplyTemplate = ({ found }) => {
  if (found === undefined) return undefined;
  const lines = found.slice(0, 3).map(({ title, text }, index) => {
    const sentence = /^[^\n]*?[.!?](?=\s|$)/.exec(text.slice(0, 300))?.[0] ?? (text === '' ? title : text);
    const said = `According to ${quote(title)}, “${quote(sentence)}” [${index + 1}].`;
    return index === 0 ? always(said, `The search found this: ${said}`) : medium(` ${said}`);
  });
  return { lines: lines.length > 0 ? lines : [always('The search found nothing.')] };
};

/** Describes images and audio by their headers: the simulator cannot process their content. */
export const mediaReply: ReplyTemplate = ({ media }) => {
  if (media.length === 0) return undefined;
  const all = joinWords(media.map(({ description }) => description));
  const lines = [
    always(`You sent ${all}.`, `Your message contains ${all}.`),
    always(' I am the Modelwire simulator, so I neither see nor hear what is in it.'),
    medium(' A real model would look and listen.', ' Configure a real model for that.'),
  ];
  return { lines };
};
