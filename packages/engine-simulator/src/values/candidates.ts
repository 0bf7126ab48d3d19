import * as phrases from './phrases.ts';
import { stem, wordsOf, wordsOfName } from './phrases.ts';

/** What values are taken from. */
export interface ValueSource {
  /** The text that values are looked for in. */
  readonly text: string;
  /** What was said before it. */
  readonly context: string;
  /** The reply in words, and in one word. */
  readonly answer: string;
  readonly word: string | undefined;
  /** What tools returned, by name in lower case. */
  readonly facts: ReadonlyMap<string, unknown>;
}

/** Finds values for names in a text. A value that was used is not found again while there is another. */
export interface Candidates {
  /** Values that the text has for this name, the likeliest first. */
  named(name: string): readonly unknown[];
  /** Several values for this name. */
  list(name: string): readonly unknown[];
  /** The other values of the text, which may be for any name. */
  others(): readonly unknown[];
  /** Whether the text mentions a constant of a schema. */
  mentions(constant: string): boolean;
  use(value: unknown): void;
}

/** Each search for a label compiles an expression and runs it over the text: 0.1 to 0.3 ms. */
const maxLabelSearches = 200;
const maxText = 8000;

export function createCandidates({ answer, word = answer, facts, ...source }: ValueSource): Candidates {
  const text = source.text.slice(0, maxText);
  const context = source.context.slice(-maxText);
  const both = ` ${wordsOf(`${text} ${context}`).join(' ')} `;
  const stems = new Set(wordsOf(text).map(stem));
  const numbers = phrases.numbersIn(text);
  const strings = [...phrases.quotedIn(text), ...phrases.namesIn(text)];
  const values = [...strings, ...numbers.map(({ value }) => value)];
  const known = new Map<string, readonly unknown[]>();
  const used = new Set<unknown>();
  let searchesLeft = maxLabelSearches;

  /** What stands behind the name itself: `city: Paris`, `the title is "Moby Dick"`. */
  const labelled = (words: readonly string[]): string[] => {
    if (!words.every((one) => stems.has(stem(one))) || searchesLeft-- <= 0) return [];
    const label = words.join('[\\s_-]*');
    const quoted = String.raw`\b${label}s?\b[\s\w]{0,12}[:=]?\s*["“'\x60]([^"”'\x60\n]{1,300})["”'\x60]`;
    const plain = String.raw`\b${label}\b(?:\s*[:=]\s*|\s+(?:is|are|as|called|named|(?:will|should) be)\s+)([^\n,;.!?]{1,120})`;
    const found = [quoted, plain].flatMap((pattern) => new RegExp(pattern, 'iu').exec(text)?.[1] ?? []);
    return found.map((one) => phrases.bare(one.replace(/\s+(?:and|with|but)\s.*$/i, '')));
  };
  /** Numbers next to a word of the name. */
  const numbersFor = (words: readonly string[]): number[] => {
    const near = new Set(words.map(stem));
    return numbers.filter(({ around }) => around.some((one) => near.has(stem(one)))).map(({ value }) => value);
  };
  const booleanFor = (words: readonly string[]): boolean[] => {
    const telling = words.filter((one) => !/^(?:is|has|should|include|use|with|enable|the)$/.test(one));
    if (telling.length === 0 || !telling.every((one) => stems.has(stem(one)))) return [];
    const denial = String.raw`\b(?:no|not|without|don't|never|isn't|disable|off)\b[^.,;]{0,20}\b${telling[0] ?? ''}`;
    return [!new RegExp(denial, 'i').test(text)];
  };
  const find = (name: string): readonly unknown[] => {
    const words = wordsOfName(name);
    if (words.length === 0) return [];
    const fact = facts.get(name.toLowerCase());
    const answers = isAnswer(name) ? [/final|result|output/i.test(name) ? word : answer, Number.parseFloat(word)] : [];
    const found = [...labelled(words), ...answers, ...byKind(words, text, context), ...numbersFor(words), ...booleanFor(words)]; // prettier-ignore
    return [...(fact === undefined ? [] : [fact]), ...found.filter((one) => one !== '' && !Number.isNaN(one))];
  };
  const named = (name: string): readonly unknown[] => {
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = find(name)));
    // An answer may be given twice; other values are mostly meant for one place.
    return isAnswer(name) ? found : found.filter((one) => !used.has(one));
  };
  return {
    named,
    list(name) {
      const listed = /:\s*([^\n]{3,600})$/m
        .exec(text)?.[1]
        ?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
        .map(phrases.bare);
      const several = [phrases.quotedIn(text), listed ?? [], strings].find(({ length }) => length > 1) ?? [];
      return [...new Set([...several, ...named(name), ...values])].slice(0, 50);
    },
    others: () => [...values.filter((one) => !used.has(one)), ...values, answer, text.slice(0, 300), ...text.split(/[\s,;:!?]+/).slice(0, 200)], // prettier-ignore
    mentions(constant) {
      const words = wordsOf(constant).join(' ');
      return words !== '' && (both.includes(` ${words} `) || (words.length > 5 && both.includes(` ${words.replace(/s$/, '')} `))); // prettier-ignore
    },
    use: (value) => void used.add(value),
  };
}

function isAnswer(name: string): boolean {
  return /answer|reply|response|expla|reason|summary|output|result|conclusion|sum$|total/i.test(name);
}

type Find = (text: string, context: string) => readonly string[];

/** Names of what texts begin with after some words: `from Paris`, `named Ann`. */
const namesAfter = (text: string, words: string): string[] =>
  phrases.after(text, words).flatMap((found) => phrases.namesIn(`. ${found}`).slice(0, 1));

/** The kinds of values that names tell of, by the words of the names. */
const kinds: readonly (readonly [words: RegExp, find: Find])[] = [
  [/^e?mails?$/, (text, context) => phrases.all(phrases.emails, `${text} ${context}`)],
  [/^(?:url|uri|link|website)$/, (text) => phrases.all(phrases.urls, text)],
  [/^(?:from|origin|source|departure|start)$/, (text) => namesAfter(text, 'from|between')],
  [/^(?:to|destination|target|recipient|arrival|end)$/, (text) => [...phrases.all(phrases.emails, text), ...namesAfter(text, 'to|into|towards')]], // prettier-ignore
  [/^(?:date|day|deadline|time|when|datetime)$/, (text) => phrases.all(phrases.dates, text)],
  [/^(?:expression|expr|formula|equation|calculation)$/, (text) => phrases.all(phrases.expressions, text)],
  [
    /^(?:city|location|place|country|town|region|state|address|area)$/,
    (text) => [...phrases.namesIn(text).filter((one) => one.includes(', ')), ...namesAfter(text, 'in|at|for|near|of|to|from|around'), ...phrases.namesIn(text)], // prettier-ignore
  ],
  [
    /^(?:query|question|search|q|topic|subject|keywords?|terms?|title|task|about)$/,
    (text) => [...phrases.quotedIn(text), ...phrases.after(text, 'for|about|on|of', true), ...phrases.namesIn(text)],
  ],
  [
    /^(?:text|content|message|body|input|note|prompt|command|code)$/,
    (text) => [...phrases.quotedIn(text), phrases.textAfterColon(text), ...phrases.after(text, 'saying that|saying|says that|says|that', true)], // prettier-ignore
  ],
  [
    /^(?:name|person|user|customer|author|who|participant|attendee)s?$/,
    (text) => [...phrases.quotedIn(text), ...namesAfter(text, "named|called|I am|I'm|by|with|for"), ...phrases.namesIn(text)], // prettier-ignore
  ],
];

/** The last word of a name says most, except that a `city_name` is a city. */
function byKind(words: readonly string[], text: string, context: string): readonly string[] {
  const kindOf = (word: string | undefined) => kinds.findIndex(([pattern]) => word !== undefined && pattern.test(word));
  const [last, ...others] = words.toReversed().map(kindOf).filter((kind) => kind !== -1); // prettier-ignore
  const isGeneral = last === kinds.length - 1;
  return kinds[(isGeneral ? others[0] : last) ?? last ?? -1]?.[1](text, context) ?? [];
}
