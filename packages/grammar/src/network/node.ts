import type { Dfa } from '../automaton/dfa.ts';

/** A terminal, which is regular. Its automaton can be built on demand. */
export type Terminal = {
  readonly dfa: Dfa;
  /** The minimum length of its non-empty texts in bytes, or -1 if there are none. Can be known before the automaton is built. */
  readonly minBytes: number;
  /** Whether the empty text matches. */
  readonly nullable: boolean;
};

/** An element of a rule. Rules can be recursive; terminals are regular. */
export type Node =
  | { kind: 'terminal'; source: Terminal }
  | { kind: 'seq'; items: readonly Node[] }
  | { kind: 'alt'; items: readonly Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number }
  | { kind: 'rule'; rule: number }
  | UnorderedNode;

/** Items in any order, each at most once, followed by `end`. No two items have a text in common. */
export type UnorderedNode = {
  kind: 'unordered';
  items: readonly UnorderedItem[];
  /** Any number of items other than these: the node of the first item of the list, and that of an item after another one. */
  others: { readonly first: Node; readonly next: Node } | undefined;
  /** The minimum and maximum number of items. Of `others`, only one counts towards `min`, because they can be equal. */
  min: number;
  max: number;
  end: Terminal;
};

type UnorderedItem = {
  /** The start of the item if it is the first of the list, and after another item: the same with a separator of one byte. */
  readonly first: Terminal;
  readonly next: Terminal;
  /** A terminal or a call of a rule; never empty. */
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
