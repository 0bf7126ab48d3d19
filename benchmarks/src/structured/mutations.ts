import type { Random } from './random.ts';

/** Changes a document as models and servers do. */
type Mutate = (document: string, random: Random) => string;

/** The positions of a pattern that are outside of strings. */
function outsideOfStrings(document: string, pattern: RegExp): RegExpExecArray[] {
  const strings = Array.from(document.matchAll(/"(?:[^"\\]|\\.)*"/g), ({ index, 0: text }) => [
    index,
    index + text.length,
  ]);
  return Array.from(document.matchAll(pattern)).filter(
    ({ index }) => !strings.some(([start = 0, end = 0]) => index > start && index < end),
  );
}

function replaceOne(
  document: string,
  random: Random,
  pattern: RegExp,
  replacement: (found: RegExpExecArray) => string,
): string {
  const found = outsideOfStrings(document, pattern);
  if (found.length === 0) return document;
  const chosen = random.pick(found);
  return document.slice(0, chosen.index) + replacement(chosen) + document.slice(chosen.index + chosen[0].length);
}

const at = (document: string, random: Random): number => random.below(document.length + 1);

export const mutations = {
  none: (document) => document,
  'cut at any character': (document, random) => document.slice(0, at(document, random)),
  'without closing brackets': (document) => document.replace(/[\]}\s]+$/, ''),
  'an inserted character': (document, random) => {
    const position = at(document, random);
    const inserted = random.pick(['"', ',', '}', '{', ']', ':', 'x', '0', '\\', '\n', 'é', '```']);
    return document.slice(0, position) + inserted + document.slice(position);
  },
  'a missing character': (document, random) => {
    const position = random.below(document.length);
    return document.slice(0, position) + document.slice(position + 1);
  },
  'a wrong type': (document, random) =>
    replaceOne(document, random, /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.eE+-]*|true|false|null)/g, () =>
      random.pick(['"text"', '17', '1.5', 'true', 'null', '[]', '{}', '{"x":[1]}']),
    ),
  'a duplicate name': (document, random) =>
    replaceOne(
      document,
      random,
      /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g,
      ([member]) => `${member}, ${member}`,
    ),
  'prose and a code fence': (document, random) =>
    random.pick([
      `Here is the JSON you asked for:\n\n\`\`\`json\n${document}\n\`\`\`\n\nLet me know if you need {anything} else!`,
      `\`\`\`\n${document}\n\`\`\``,
      `Sure! ${document} I hope this helps.`,
      `<think>The user wants [JSON].</think>\n${document}`,
    ]),
  'literals of Python': (document) =>
    document.replace(/"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b/g, (token) => {
      if (!token.startsWith('"')) return { true: 'True', false: 'False' }[token] ?? 'None';
      return token.includes("'") ? token : `'${token.slice(1, -1).replaceAll('\\"', '"')}'`;
    }),
  'commas before closing brackets': (document) =>
    document.replace(/"(?:[^"\\]|\\.)*"|(?<![[{,\s])\s*[}\]]/g, (token) =>
      token.startsWith('"') ? token : `,${token}`,
    ),
  'another document': (document) => `{"result": ${document}}`,
} as const satisfies Readonly<Record<string, Mutate>>;

export type Mutation = keyof typeof mutations;
export const mutationNames = Object.keys(mutations) as readonly Mutation[];
