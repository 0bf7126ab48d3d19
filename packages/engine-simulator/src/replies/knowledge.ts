import { bread, clocks, maps, rivers } from '../prose/index.ts';
import { core, extra, more } from './conversation.ts';
import type { Line, Replier } from './conversation.ts';

const subjects: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/\b(?:rivers?|streams?|floods?|bridges?)\b/i, 'rivers', rivers],
  [/\b(?:clocks?|watch(?:es)?|pendulums?|hourglass|timekeeping)\b/i, 'clocks', clocks],
  [/\b(?:bread|bak(?:e|er|ers|ery|ing)|dough|loaf|yeast)\b/i, 'bread', bread],
  [/\b(?:maps?|cartograph\w*|atlas)\b/i, 'maps', maps],
];

/** Questions about what the simulator's own texts are about are answered from them, a story or an essay likewise. */
export const knowledge: Replier = ({ head }) => {
  const tale = /\b(?:story|tale|poem|essay|article|paragraphs?|joke|haiku|long text|lorem ipsum)\b/i
    .exec(head)?.[0]
    .toLowerCase();
  const subject = subjects.find(([pattern]) => pattern.test(head.slice(0, 300)));
  if (subject === undefined && tale === undefined) return undefined;
  const [, noun, paragraphs] = subject ?? subjects[0] ?? [/$/, 'rivers', rivers];
  const words = Number(/\b(\d{2,4})[- ]words?\b/i.exec(head)?.[1] ?? 0);
  const opening =
    subject === undefined
      ? [core(`I have no ${tale ?? 'text'} of that kind by heart, but I can tell you about ${noun}.`), core(' ')]
      : [];
  const lines: Line[] =
    words > 0 || /\b(?:long|essay|article|detailed?)\b/i.test(head) ? long(paragraphs, words) : short(paragraphs);
  return {
    lines: [
      ...opening.slice(0, 1),
      ...lines.map((line, i) =>
        i === 0 && opening.length > 0 ? { ...line, ways: line.ways.map((way) => ` ${way}`) } : line,
      ),
    ],
    word: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}.`,
  };
};

function short(paragraphs: readonly string[]): Line[] {
  const [first = '', second = '', third = ''] = paragraphs;
  return [
    ...sentences(first).map((text, i) => (i < 2 ? core(text) : more(text))),
    ...sentences(second).map((text, i) => extra(i === 0 ? `\n\n${text.trim()}` : text)),
    ...sentences(third).map((text, i) => extra(i === 0 ? `\n\n${text.trim()}` : text)),
  ];
}

function long(paragraphs: readonly string[], words: number): Line[] {
  const lines: Line[] = [];
  let count = 0;
  for (const paragraph of paragraphs) {
    for (const [i, text] of sentences(paragraph).entries()) {
      if (words > 0 && count >= words) return lines;
      lines.push(core(i === 0 && lines.length > 0 ? `\n\n${text}` : text));
      count += text.trim().split(' ').length;
    }
  }
  return lines;
}

/** The sentences of a paragraph, all but the first with the space before them. */
function sentences(paragraph: string): string[] {
  return paragraph.match(/(?:^| )[^.]+\./g) ?? [paragraph];
}

const facts: readonly (readonly [RegExp, string, string])[] = [
  [/capital of france/i, 'The capital of France is Paris.', 'Paris.'],
  [/capital of germany/i, 'The capital of Germany is Berlin.', 'Berlin.'],
  [/capital of italy/i, 'The capital of Italy is Rome.', 'Rome.'],
  [/capital of spain/i, 'The capital of Spain is Madrid.', 'Madrid.'],
  [/capital of japan/i, 'The capital of Japan is Tokyo.', 'Tokyo.'],
  [
    /capital of (?:the )?(?:uk|united kingdom|england|great britain)/i,
    'The capital of the United Kingdom is London.',
    'London.',
  ],
  [
    /capital of (?:the )?(?:usa?|united states|america)/i,
    'The capital of the United States is Washington, D.C.',
    'Washington.',
  ],
  [/how many days.*\bweek\b/i, 'A week has seven days.', 'Seven.'],
  [/how many days.*\byear\b/i, 'A year has 365 days, and a leap year has 366.', '365.'],
  [/how many (?:hours|h).*\bday\b/i, 'A day has 24 hours.', '24.'],
  [/how many minutes.*\bhour\b/i, 'An hour has 60 minutes.', '60.'],
  [
    /colou?r (?:is|of) the sky|why is the sky blue/i,
    'The sky is blue, because the air scatters blue light more than red.',
    'Blue.',
  ],
  [/(?:largest|biggest) planet/i, 'The largest planet is Jupiter.', 'Jupiter.'],
  [/freez\w* point of water|water freeze/i, 'Water freezes at 0 degrees Celsius.', '0.'],
  [/boiling point of water|water boil/i, 'Water boils at 100 degrees Celsius at sea level.', '100.'],
  [/meaning of life/i, 'Some say that it is 42; I am only a simulator and have no better answer.', '42.'],
];

/** The few facts that many first requests ask for. */
export const fact: Replier = ({ head }) => {
  const found = facts.find(([pattern]) => pattern.test(head.slice(0, 300)));
  if (found === undefined) return undefined;
  const [, sentence, word] = found;
  return {
    lines: [
      core(sentence),
      more(' That is one of the few facts I have by heart.', ' It is among the few things a simulator knows.'),
    ],
    word,
  };
};
