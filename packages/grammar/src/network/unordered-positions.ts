import type { CallEdge, Entry, Position, TokenEdge } from './position.ts';
import type { Progress, UnorderedCosts, UnorderedTransition } from './unordered.ts';

/** The positions within unordered lists, made when a text gets there: there are as many as sets of items. */
export interface UnorderedPositions {
  /** What an empty list leads to. */
  start(transition: UnorderedTransition, costs: UnorderedCosts, to: Position): Entry;
  /** The number of positions made since they were last forgotten. */
  count(): number;
  /** Drops all positions that no state holds. Later ones are equal, but not the same objects. */
  forget(): void;
}

export function createUnorderedPositions(nextId: () => number): UnorderedPositions {
  let count = 0;
  let age = 0;
  let lists: List[] = [];
  const memory: Memory = {
    nextId() {
      count++;
      return nextId();
    },
    age: () => age,
  };
  return {
    start(transition, costs, to) {
      const list: List = { transition, costs, to, known: new Map() };
      lists.push(list);
      return listEntry(list, costs.start, memory);
    },
    count: () => count,
    forget() {
      count = 0;
      age++;
      for (const { known } of lists) known.clear();
      lists = [];
    },
  };
}

type Memory = { nextId(): number; age(): number };
type List = {
  readonly transition: UnorderedTransition;
  readonly costs: UnorderedCosts;
  readonly to: Position;
  readonly known: Map<string, ListPosition>;
};

function listEntry(list: List, progress: Progress, memory: Memory): Entry {
  const { transition: way, costs, to } = list;
  const isFirst = progress.count + progress.others === 0;
  const tokens: TokenEdge[] = [];
  const calls: CallEdge[] = [];
  way.items.forEach((item, index) => {
    const after = costs.after(progress, index);
    if (after === undefined) return;
    const { value, first, next } = item;
    const { dfa } = isFirst ? first : next;
    tokens.push({
      dfa,
      to: value === undefined ? positionAt(list, after, memory) : new ValuePosition(list, value, after, memory),
    });
  });
  const afterOther = way.others && costs.afterOther(progress);
  if (way.others && afterOther) {
    calls.push({ rule: isFirst ? way.others.first : way.others.next, to: positionAt(list, afterOther, memory) });
  }
  if (costs.canEnd(progress)) tokens.push({ dfa: way.end.dfa, to });
  return { tokens, calls, rest: [], final: false };
}

/** Equal sets of items are one position. */
function positionAt(list: List, progress: Progress, memory: Memory): ListPosition {
  const key = `${progress.seen.toString(36)} ${progress.others}`;
  let found = list.known.get(key);
  if (found === undefined) list.known.set(key, (found = new ListPosition(list, progress, memory)));
  return found;
}

/** Entries of an older generation are dropped, so that a position retains no others. */
abstract class MadePosition implements Position {
  readonly id: number;
  readonly cost: number;
  calls = 0;
  countedIn = -1;
  readonly #memory: Memory;
  #entry: Entry | undefined;
  #age = 0;

  constructor(memory: Memory, cost: number) {
    this.id = memory.nextId();
    this.cost = cost;
    this.#memory = memory;
  }

  entry(): Entry {
    const age = this.#memory.age();
    if (this.#entry === undefined || this.#age !== age) {
      this.#entry = this.makeEntry(this.#memory);
      this.#age = age;
    }
    return this.#entry;
  }

  isTail(): boolean {
    return false;
  }

  protected abstract makeEntry(memory: Memory): Entry;
}

/** After a set of items. */
class ListPosition extends MadePosition {
  readonly #list: List;
  readonly #progress: Progress;

  constructor(list: List, progress: Progress, memory: Memory) {
    super(memory, list.costs.rest(progress) + list.to.cost);
    this.#list = list;
    this.#progress = progress;
  }

  protected makeEntry(memory: Memory): Entry {
    return listEntry(this.#list, this.#progress, memory);
  }
}

type Value = NonNullable<UnorderedTransition['items'][number]['value']>;

/** Before the value of an item. */
class ValuePosition extends MadePosition {
  readonly #list: List;
  readonly #value: Value;
  readonly #after: Progress;

  constructor(list: List, value: Value, after: Progress, memory: Memory) {
    super(memory, list.costs.ofValue(value) + list.costs.rest(after) + list.to.cost);
    this.#list = list;
    this.#value = value;
    this.#after = after;
  }

  protected makeEntry(memory: Memory): Entry {
    const to = positionAt(this.#list, this.#after, memory);
    const value = this.#value;
    return 'token' in value
      ? { tokens: [{ dfa: value.token.dfa, to }], calls: [], rest: [], final: false }
      : { tokens: [], calls: [{ rule: value.rule, to }], rest: [], final: false };
  }
}
