import type { Random } from './random.ts';

const PIECES = [
  ...[
    '"',
    '"',
    '":',
    '": ',
    '", "',
    '",',
    '"}',
    '"]',
    '{"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ', ',
    ':',
    ' ',
    '{}',
    '[]',
    '}}',
    ']]',
  ],
  ...[
    'a',
    'b',
    'ab',
    'foo',
    'bar',
    'x',
    'line',
    'é',
    '日',
    '本',
    '😀',
    '“',
    '\u2028',
    'q',
    'z',
    '\\"',
    '\\\\',
    '\\n',
    '\\u0001',
    '\\t',
    '\\/',
  ],
  ...[
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\uD83D',
    '\\udE00',
    '\\u',
    '0',
    '1',
    '12',
    '-',
    '.',
    '.5',
    'e',
    '+',
    '000',
    '3.25e-1',
  ],
  ...[
    'null',
    'true',
    'false',
    'tru',
    '2024-01-',
    '-01',
    'T12:34:56Z',
    '192.168',
    '@',
    '.com',
    'http://',
    '\n',
    '\u007f',
    '!',
  ],
];

/** All single bytes, and tokens of several pieces of JSON that can start and end anywhere, even within characters and escapes. */
export function randomVocabulary(random: Random, size: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const more = Array.from({ length: size }, () => {
    const text = Array.from({ length: 1 + random.int(5) }, () => random.pick(PIECES)).join('');
    const whole = encoder.encode(text);
    const from = random.chance(0.3) ? random.int(whole.length) : 0;
    return whole.subarray(from, random.chance(0.3) ? from + random.int(whole.length - from + 1) : whole.length);
  });
  return [...bytes, ...more];
}

/** A random tokenization of a text. */
export function randomTokens(text: Uint8Array, vocabulary: readonly Uint8Array[], random: Random): number[] {
  const byFirst = Map.groupBy(vocabulary.keys(), (id) => vocabulary[id]?.[0]);
  const out: number[] = [];
  for (let at = 0; at < text.length;) {
    const fitting = (byFirst.get(text[at]) ?? []).filter((id) =>
      vocabulary[id]?.every((byte, index) => byte === text[at + index]),
    );
    const id = random.pick(fitting);
    out.push(id);
    at += vocabulary[id]?.length ?? 1;
  }
  return out;
}
