import type { Conversation } from '../prompt/conversation.ts';
import { factsIn } from '../reply/results.ts';
import type { TextReply } from '../reply/text-reply.ts';
import * as phrases from './phrases.ts';
import { stem, wordsOf, wordsOfName } from './phrases.ts';

/** What values are taken from. */
export interface ValueSource {
  /** The text that values are looked for in, and what was said before it. */
  readonly text: string;
  readonly context: string;
  /** The reply as text: for fields such as `answer`. */
  readonly reply: Pick<TextReply, 'text' | 'word'>;
  /** What tools returned, and system messages: they may name the keys of JSON. */
  readonly conversation: Pick<Conversation, 'calls' | 'instructions'>;
}

/** Each search for a label compiles an expression and runs it over the text: 0.1 to 0.3 ms. */
const maxLabelSearches = 200;
const maxText = 8000;

/** Finds values for names in a text. A value that was used is not found again while there is another. */
export function createCandidates({ reply: { text: answer, word }, conversation, ...source }: ValueSource) {
  const facts = factsIn(conversation.calls);
  const text = source.text.slice(0, maxText);
  const context = ` ${wordsOf(`${text} ${source.context.slice(-maxText)}`).join(' ')} `;
  const stems = new Set(wordsOf(text).map(stem));
  const numbers = phrases.numbersIn(text);
  const values = [
    ...phrases.quotedIn(text),
    ...phrases.listedIn(text),
    ...phrases.namesIn(text),
    ...numbers.map(({ value }) => value),
  ];
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
  const numbersFor = (words: readonly string[]): number[] =>
    numbers.filter(({ around }) => words.some((one) => around.includes(stem(one)))).map(({ value }) => value);
  const find = (name: string): readonly unknown[] => {
    const words = wordsOfName(name);
    if (words.length === 0) return [];
    const answers = isAnswer(name) ? [/final|result|output/i.test(name) ? word : answer, Number.parseFloat(word)] : [];
    const found = [
      facts.get(name.toLowerCase()),
      ...labelled(words),
      ...answers,
      ...byKind(words, text),
      ...numbersFor(words),
    ];
    return found.filter((one) => one !== undefined && one !== '' && !Number.isNaN(one));
  };
  return {
    /** Values that the text has for this name, the likeliest first. */
    named(name: string): readonly unknown[] {
      let found = known.get(name);
      if (found === undefined) known.set(name, (found = find(name)));
      // An answer may be given twice; other values are mostly meant for one place.
      return isAnswer(name) ? found : found.filter((one) => !used.has(one));
    },
    /** The values of the text that were not used, which may be for any name. */
    unused: (): readonly unknown[] => [...new Set(values)].filter((one) => !used.has(one)).slice(0, 50),
    /** Anything else from the text. */
    others: (): readonly unknown[] => [
      ...values,
      answer,
      text.slice(0, 300),
      ...text.split(/[\s,;:!?]+/).slice(0, 200),
    ],
    /** Whether the text mentions a constant of a schema. */
    mentions(constant: string): boolean {
      const words = wordsOf(constant).join(' ');
      return (
        words !== '' &&
        (context.includes(` ${words} `) || (words.length > 5 && context.includes(` ${words.replace(/s$/, '')} `)))
      );
    },
    use: (value: unknown): void => void used.add(value),
  };
}

function isAnswer(name: string): boolean {
  return /answer|reply|response|expla|reason|summary|output|result|conclusion|sum$|total/i.test(name);
}

type Find = (text: string) => readonly string[];

/** Names of what texts begin with after some words: `from Paris`, `named Ann`. */
const namesAfter = (text: string, words: string): string[] =>
  phrases.after(text, words).flatMap((found) => phrases.namesIn(`. ${found}`).slice(0, 1));

/** The kinds of values that names tell of, by the words of the names. The last one is the most general. */
const kinds: readonly (readonly [words: RegExp, find: Find])[] = [
  [/^e?mails?$/, (text) => phrases.all(phrases.emails, text)],
  [/^(?:url|uri|link|website)$/, (text) => phrases.all(phrases.urls, text)],
  [/^(?:date|day|deadline|time|when|datetime)$/, (text) => phrases.all(phrases.dates, text)],
  [/^(?:expression|expr|formula|equation|calculation)$/, (text) => phrases.all(phrases.expressions, text)],
  [/^(?:from|origin|source|departure|start)$/, (text) => namesAfter(text, 'from|between')],
  [
    /^(?:to|destination|target|recipient|arrival|end)$/,
    (text) => [...phrases.all(phrases.emails, text), ...namesAfter(text, 'to|into|towards')],
  ],
  [
    /^(?:city|location|place|country|town|region|state|address|area)$/,
    (text) => [
      ...phrases.namesIn(text).filter((one) => one.includes(', ')),
      ...namesAfter(text, 'in|at|for|near|of|to|from|around'),
      ...phrases.namesIn(text),
    ],
  ],
  [
    /^(?:query|question|search|q|topic|subject|keywords?|terms?|title|task|about)$/,
    (text) => [...phrases.quotedIn(text), ...phrases.after(text, 'for|about|on|of', true), ...phrases.namesIn(text)],
  ],
  [
    /^(?:text|content|message|body|input|note|prompt|command|code)$/,
    (text) => [
      ...phrases.quotedIn(text),
      phrases.textAfterColon(text),
      ...phrases.after(text, 'saying that|saying|says that|says|that', true),
    ],
  ],
  [
    /^(?:name|person|user|customer|author|who|participant|attendee)s?$/,
    (text) => [
      ...phrases.quotedIn(text),
      ...namesAfter(text, "named|called|I am|I'm|by|with|for"),
      ...phrases.namesIn(text),
    ],
  ],
];

/** The last word of a name says most, except that a `city_name` is a city. */
function byKind(words: readonly string[], text: string): readonly string[] {
  const found = words.toReversed().flatMap((word) => kinds.filter(([pattern]) => pattern.test(word)));
  const [, find] = found.find((kind) => kind !== kinds.at(-1)) ?? found[0] ?? [];
  return find?.(text) ?? [];
}
