import type { Dfa } from '../automaton/dfa.ts';

/** A regular token. Its automaton is built on demand, or before. */
export type Token = { readonly dfa: Dfa };

/** The elements of rules; rules can call each other and themselves, tokens are regular. */
export type Node =
  | { kind: 'token'; source: Token }
  | { kind: 'seq'; items: readonly Node[] }
  | { kind: 'alt'; items: readonly Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number }
  | { kind: 'rule'; rule: number };

export function token(source: Token): Node {
  return { kind: 'token', source };
}

export function sequence(...items: readonly Node[]): Node {
  return { kind: 'seq', items };
}

export function choice(...items: readonly Node[]): Node {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind: 'alt', items };
}

export function repetition(item: Node, min: number, max = Infinity): Node {
  return { kind: 'repeat', item, min, max };
}

export function call(rule: number): Node {
  return { kind: 'rule', rule };
}
