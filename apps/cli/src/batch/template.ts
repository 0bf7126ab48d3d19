import { isRecord } from '../config/profiles.ts';
import { usageFailure } from '../failure.ts';

/** What of a line can stand in a template: `{{line}}`, `{{n}}`, and the fields of a line that is a JSON object. */
export type Words = Readonly<Record<string, unknown>>;

const PLACE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** A JSON value with the words of a line put into its texts: never into its structure, whatever a line holds. */
export function fill(template: unknown, words: Words): unknown {
  if (typeof template === 'string') return fillText(template, words);
  if (Array.isArray(template)) return template.map((each) => fill(each, words));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, words)]));
}

function fillText(text: string, words: Words): unknown {
  const [whole, only] = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text) ?? [];
  // A text that is one place takes the value as it is: a number stays one.
  if (whole !== undefined && only !== undefined) return wordOf(words, only);
  return text.replace(PLACE, (_, name: string) => {
    const value = wordOf(words, name);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function wordOf(words: Words, name: string): unknown {
  if (Object.hasOwn(words, name)) return words[name];
  throw usageFailure(
    `Line ${String(words['n'])} has no "${name}" for {{${name}}}`,
    `It has ${Object.keys(words).join(', ')}.`,
  );
}

/** The words of a line. */
export function wordsOf(line: string, n: number): Words {
  let value: unknown;
  try {
    value = line.startsWith('{') ? JSON.parse(line) : undefined;
  } catch {
    value = undefined;
  }
  return { ...(isRecord(value) ? value : {}), line, n };
}

export function hasPlaces(template: unknown): boolean {
  return new RegExp(PLACE.source).test(JSON.stringify(template));
}
