import { core, extra } from './conversation.ts';
import type { Replier } from './conversation.ts';
import { capital, list } from './echo.ts';

const known: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/colou?rs?/i, 'colours', ['red', 'blue', 'green', 'yellow', 'orange', 'purple', 'brown', 'black', 'white', 'grey']],
  [/fruits?/i, 'fruits', ['apple', 'pear', 'plum', 'cherry', 'orange', 'banana', 'grape', 'fig', 'peach', 'lemon']],
  [
    /vegetables?/i,
    'vegetables',
    ['carrot', 'onion', 'leek', 'cabbage', 'potato', 'bean', 'pea', 'beetroot', 'spinach', 'turnip'],
  ],
  [/animals?/i, 'animals', ['dog', 'cat', 'horse', 'otter', 'fox', 'owl', 'heron', 'hare', 'badger', 'goat']],
  [/planets?/i, 'planets', ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune']],
  [
    /continents?/i,
    'continents',
    ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'],
  ],
  [/oceans?/i, 'oceans', ['Arctic', 'Atlantic', 'Indian', 'Pacific', 'Southern']],
  [
    /rivers?/i,
    'rivers',
    ['Danube', 'Nile', 'Rhine', 'Ganges', 'Amazon', 'Mekong', 'Loire', 'Volga', 'Niger', 'Thames'],
  ],
  [/seasons?/i, 'seasons', ['spring', 'summer', 'autumn', 'winter']],
  [
    /months?/i,
    'months',
    [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ],
  ],
  [
    /weekdays?|days? of the week|days?\b/i,
    'days of the week',
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ],
  [
    /breads?/i,
    'kinds of bread',
    ['rye bread', 'sourdough', 'baguette', 'flatbread', 'brioche', 'soda bread', 'focaccia', 'pumpernickel'],
  ],
  [
    /clocks?/i,
    'kinds of clock',
    ['sundial', 'water clock', 'hourglass', 'pendulum clock', 'pocket watch', 'tower clock', 'quartz clock'],
  ],
  [/primes?/i, 'prime numbers', ['2', '3', '5', '7', '11', '13', '17', '19', '23', '29', '31', '37']],
  [
    /(?:random )?words?/i,
    'words',
    ['river', 'lantern', 'bread', 'window', 'pebble', 'clock', 'meadow', 'letter', 'harbour', 'thread'],
  ],
  [/names?/i, 'names', ['Ada', 'Bruno', 'Clara', 'David', 'Elif', 'Femi', 'Greta', 'Hugo', 'Ines', 'Jonas']],
];
const figures: Record<string, number> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
};
/** No count is longer than this. */
const longestCount = 1000;

/** `list three colours`, `name 5 animals`, `what are the seasons`. */
export const lists: Replier = ({ head }) => {
  const order =
    /\b(?:list|name|give me|tell me|enumerate|what are|which are)\b(?: me)?(?: (?:all|the|some|any|just|only))*(?: (\d{1,4}|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)?([^.?!\n]{0,60})/i.exec(
      head,
    );
  if (order === null) return undefined;
  const wanted = order[2] ?? '';
  const entry = known.find(([pattern]) =>
    new RegExp(
      `^(?:\\W|\\b(?:different|of|the|common|random|primary|first|kinds?|types?|planet)\\b)*(?:${pattern.source})`,
      'i',
    ).test(wanted),
  );
  if (entry === undefined) return undefined;
  const [, noun, items] = entry;
  const asked = order[1] === undefined ? undefined : (figures[order[1].toLowerCase()] ?? Number(order[1]));
  const count = Math.min(
    asked ?? (items.length > 8 && !/all|what are|months/i.test(head) ? 5 : items.length),
    items.length,
  );
  const chosen = items.slice(0, Math.max(1, count));
  const short =
    asked !== undefined && asked > items.length
      ? `I know only ${items.length} ${noun}:`
      : `Here ${chosen.length === 1 ? 'is 1' : `are ${chosen.length}`} ${noun}:`;
  if (/comma|one line|inline/i.test(head)) return { lines: [core(chosen.join(', '))], word: capital(chosen[0] ?? '') };
  return {
    lines: [
      core(`${short}\n\n`, `${capital(noun)}:\n\n`),
      ...chosen.map((item, index) => core(`${index + 1}. ${capital(item)}${index === chosen.length - 1 ? '' : '\n'}`)),
      extra(`\n\nIn one sentence: ${list(chosen)}.`),
    ],
    word: capital(chosen[0] ?? ''),
  };
};

/** `count to 10`, `count from 3 to 8`, `count down from 5`. */
export const counting: Replier = ({ head }) => {
  const order =
    /\bcount\b(?:\s+(?:up|for me))*(\s+down|\s+backwards?)?(?:\s+from\s+(\d{1,6}))?(?:\s+(?:up |down )?to\s+(\d{1,6}))?/i.exec(
      head,
    );
  if (order === null || (order[2] === undefined && order[3] === undefined)) return undefined;
  const down = order[1] !== undefined;
  const from = Number(order[2] ?? (down ? 10 : 1));
  const to = Number(order[3] ?? (down ? 1 : from + 9));
  const step = from <= to ? 1 : -1;
  const numbers = Array.from({ length: Math.min(longestCount, Math.abs(to - from) + 1) }, (_, i) => from + i * step);
  return {
    lines: numbers.map((number, i) => core(`${i === 0 ? '' : ' '}${number}${i === numbers.length - 1 ? '.' : ','}`)),
    word: `${numbers.at(-1) ?? ''}`,
  };
};
