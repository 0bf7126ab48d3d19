/** The words of a name such as `getWeather`, `send_email` or `HTTP-status`, in lower case. */
export function wordsOfName(name: string): string[] {
  return wordsOf(name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'));
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return (text.slice(0, 4000).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
}

/** A word without the endings that make no difference: `cities` and `city`, `booked` and `book`. */
export function stem(word: string): string {
  const plain = word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|ion|ions|er|s)$/, '')
    .replace(/e$/, '');
  const short = plain.length < 3 ? word : plain;
  return short.replace(/([bdgklmnprt])\1$/, '$1');
}

/** What a value is for, as far as its name tells. */
export type Role =
  | 'answer'
  | 'date'
  | 'email'
  | 'expression'
  | 'from'
  | 'id'
  | 'language'
  | 'person'
  | 'place'
  | 'text'
  | 'time'
  | 'to'
  | 'topic'
  | 'unit'
  | 'url';

const roles: readonly (readonly [Role, readonly string[]])[] = [
  ['email', ['email', 'mail']],
  ['url', ['url', 'uri', 'link', 'website', 'href']],
  ['from', ['from', 'origin', 'source', 'departure', 'start']],
  ['to', ['to', 'destination', 'target', 'recipient', 'arrival', 'end']],
  ['date', ['date', 'day', 'deadline', 'due', 'birthday']],
  ['time', ['time', 'hour', 'when', 'datetime', 'timestamp']],
  ['language', ['language', 'lang', 'locale']],
  ['unit', ['unit', 'units', 'format', 'scale']],
  [
    'place',
    ['city', 'location', 'place', 'country', 'town', 'region', 'state', 'address', 'area', 'capital', 'timezone'],
  ],
  ['expression', ['expression', 'expr', 'formula', 'equation', 'calculation']],
  ['id', ['id', 'identifier', 'number', 'code', 'sku', 'isbn', 'ticker', 'symbol', 'reference']],
  [
    'person',
    [
      'name',
      'person',
      'user',
      'username',
      'customer',
      'author',
      'participants',
      'participant',
      'attendees',
      'who',
      'people',
    ],
  ],
  [
    'topic',
    [
      'query',
      'question',
      'search',
      'q',
      'topic',
      'subject',
      'keyword',
      'keywords',
      'term',
      'terms',
      'product',
      'item',
      'items',
      'tag',
      'tags',
      'ingredient',
      'title',
      'task',
      'about',
      'category',
    ],
  ],
  [
    'answer',
    [
      'answer',
      'reply',
      'response',
      'explanation',
      'reasoning',
      'summary',
      'description',
      'output',
      'result',
      'conclusion',
      'thought',
      'thoughts',
      'rationale',
      'comment',
      'steps',
      'reason',
    ],
  ],
  [
    'text',
    [
      'text',
      'content',
      'message',
      'body',
      'input',
      'sentence',
      'string',
      'note',
      'prompt',
      'value',
      'data',
      'command',
      'sql',
      'script',
    ],
  ],
];

const roleOfWord = new Map(roles.flatMap(([role, words]) => words.map((word) => [word, role] as const)));

/** The last word of a name says most: an `event_date` is a date, and a `city_name` the name of a place. */
export function roleOf(name: string): Role | undefined {
  const known = wordsOfName(name).map((word) => roleOfWord.get(word) ?? roleOfWord.get(word.replace(/s$/, '')));
  const last = known.at(-1);
  return last === 'person' || last === 'id'
    ? (known.find((role) => role && role !== 'person' && role !== 'id') ?? last)
    : (last ?? known.find(Boolean));
}
