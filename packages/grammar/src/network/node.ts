import type { Dfa } from '../automaton/dfa.ts';

/** A regular terminal. Its automaton is built on demand, or before. */
export type Terminal = {
  readonly dfa: Dfa;
  /** The fewest bytes of its texts that are not empty, or -1 without any. May be known without the automaton. */
  readonly minBytes: number;
  /** Whether the empty text matches. */
  readonly nullable: boolean;
};

/** The elements of rules; rules can call each other and themselves, terminals are regular. */
export type Node =
  | { kind: 'terminal'; source: Terminal }
  | { kind: 'seq'; items: readonly Node[] }
  | { kind: 'alt'; items: readonly Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number }
  | { kind: 'rule'; rule: number }
  | UnorderedNode;

/** Items in any order, each at most once, until `end`. The texts of the items differ. */
export type UnorderedNode = {
  kind: 'unordered';
  items: readonly UnorderedItem[];
  /** One more item that is none of these, as the first one and after others; any number of them. */
  others: { readonly first: Node; readonly next: Node } | undefined;
  /** The number of items. Of the others, only one counts towards `min`, because they can be equal. */
  min: number;
  max: number;
  end: Terminal;
};

export type UnorderedItem = {
  /** How the item begins as the first one, and after others: the same with a separator of one byte. */
  readonly first: Terminal;
  readonly next: Terminal;
  /** A terminal or a rule that is never empty. */
  readonly value: Node | undefined;
  readonly isRequired: boolean;
};

export function terminal(source: Terminal): Node {
  return { kind: 'terminal', source };
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
