import type { Random } from './random.ts';

/** A grammar of one-character terminals as data, independent of the parser under test. */
export type Piece =
  | { kind: 'char'; char: string }
  | { kind: 'digit' }
  | { kind: 'call'; rule: number }
  | { kind: 'group'; choices: Piece[][] }
  | { kind: 'repeat'; piece: Piece; min: number; max: number };
export type RandomLark = { rules: Piece[][][]; ignoresSpace: boolean };

const CHARS = ['a', 'b', '(', ')', '+'];

export function randomLark(random: Random): RandomLark {
  const count = 1 + random.int(4);
  const piece = (depth: number): Piece => {
    const kind = random.int(10);
    if (kind < 4) return { kind: 'char', char: random.pick(CHARS) };
    if (kind < 5) return { kind: 'digit' };
    if (kind < 8 || depth === 0) return { kind: 'call', rule: random.int(count) };
    if (kind < 9) return { kind: 'group', choices: choices(depth - 1) };
    const min = random.int(2);
    return { kind: 'repeat', piece: piece(depth - 1), min, max: random.pick([min + 1, min + 2, Infinity]) };
  };
  const choices = (depth: number): Piece[][] =>
    Array.from({ length: 1 + random.int(3) }, () => Array.from({ length: random.int(4) }, () => piece(depth)));
  return { rules: Array.from({ length: count }, () => choices(2)), ignoresSpace: random.chance(0.3) };
}

export function writeLark({ rules, ignoresSpace }: RandomLark): string {
  const write = (piece: Piece): string => {
    switch (piece.kind) {
      case 'char':
        return JSON.stringify(piece.char);
      case 'digit':
        return 'DIGIT';
      case 'call':
        return piece.rule === 0 ? 'start' : `r${piece.rule}`;
      case 'group':
        return `(${writeChoices(piece.choices)})`;
      case 'repeat': {
        const inner = `(${write(piece.piece)})`;
        if (piece.max === Infinity) return inner + (piece.min === 0 ? '*' : '+');
        return piece.min === 0 && piece.max === 1 ? `${inner}?` : `${inner}~${piece.min}..${piece.max}`;
      }
    }
  };
  const writeChoices = (choices: Piece[][]): string => choices.map((items) => items.map(write).join(' ')).join(' | ');
  const lines = rules.map((choices, rule) => `${rule === 0 ? 'start' : `r${rule}`}: ${writeChoices(choices)}`);
  if (ignoresSpace) lines.push('%ignore " "');
  return [...lines, '%import common.DIGIT'].join('\n');
}

/** Whether the grammar accepts a text. Computes the ends of each rule from each position until there is no new one. */
export function isOfLark({ rules, ignoresSpace }: RandomLark, text: string): boolean {
  const found = new Map<string, Set<number>>();
  let grown = true;
  const skip = (ends: Set<number>): Set<number> => {
    if (ignoresSpace) for (const end of ends) if (text[end] === ' ') ends.add(end + 1);
    return ends;
  };
  const endsOf = (piece: Piece, from: number): Set<number> => {
    switch (piece.kind) {
      case 'char':
        return skip(new Set(text[from] === piece.char ? [from + 1] : []));
      case 'digit':
        return skip(new Set(/[0-9]/.test(text[from] ?? '') ? [from + 1] : []));
      case 'call': {
        const key = `${piece.rule},${from}`;
        const ends = found.get(key);
        if (ends) return ends;
        found.set(key, new Set());
        grown = true;
        return new Set();
      }
      case 'group':
        return endsOfChoices(piece.choices, from);
      case 'repeat': {
        let current = new Set([from]);
        const ends = new Set(piece.min === 0 ? [from] : []);
        for (let i = 1; i <= Math.min(piece.max, text.length + 2); i++) {
          current = new Set([...current].flatMap((at) => [...endsOf(piece.piece, at)]));
          if (i >= piece.min) for (const end of current) ends.add(end);
        }
        return ends;
      }
    }
  };
  const endsOfChoices = (choices: Piece[][], from: number): Set<number> =>
    new Set(
      choices.flatMap((items) => {
        let current = new Set([from]);
        for (const item of items) current = new Set([...current].flatMap((at) => [...endsOf(item, at)]));
        return [...current];
      }),
    );
  const starts = [...skip(new Set([0]))];
  for (const start of starts) found.set(`0,${start}`, new Set());
  while (grown) {
    grown = false;
    for (const [key, ends] of [...found]) {
      const [rule, from] = key.split(',').map(Number);
      for (const end of endsOfChoices(rules[rule ?? 0] ?? [], from ?? 0)) {
        if (ends.has(end)) continue;
        ends.add(end);
        grown = true;
      }
    }
  }
  return starts.some((start) => found.get(`0,${start}`)?.has(text.length) === true);
}
