import type { CallEdge, Entry, Position, TokenEdge } from './position.ts';
import type { Progress, UnorderedCosts, UnorderedTransition } from './unordered.ts';

/** The positions within unordered lists, created when a text reaches them: there is one for each possible set of items. */
export interface UnorderedPositions {
  /** What an empty list leads to. */
  start(transition: UnorderedTransition, costs: UnorderedCosts, to: Position): Entry;
  /** The number of positions created since `forget`. */
  count(): number;
  /** Drops all positions that no state references. Later ones are equal, but not identical. */
  forget(): void;
}

export function createUnorderedPositions(nextId: () => number): UnorderedPositions {
  let count = 0;
  let generation = 0;
  let lists: List[] = [];
  const memory: Memory = {
    nextId() {
      count++;
      return nextId();
    },
    generation: () => generation,
  };
  return {
    start(transition, costs, to) {
      const list: List = { transition, costs, to, positions: new Map() };
      lists.push(list);
      return listEntry(list, costs.start, memory);
    },
    count: () => count,
    forget() {
      count = 0;
      generation++;
      for (const { positions } of lists) positions.clear();
      lists = [];
    },
  };
}

type Memory = { nextId(): number; generation(): number };
type List = {
  readonly transition: UnorderedTransition;
  readonly costs: UnorderedCosts;
  readonly to: Position;
  readonly positions: Map<string, ListPosition>;
};

function listEntry(list: List, progress: Progress, memory: Memory): Entry {
  const { transition, costs, to } = list;
  const isFirst = progress.count + progress.others === 0;
  const tokens: TokenEdge[] = [];
  const calls: CallEdge[] = [];
  transition.items.forEach((item, index) => {
    const after = costs.after(progress, index);
    if (after === undefined) return;
    const { value, first, next } = item;
    const { dfa } = isFirst ? first : next;
    tokens.push({
      dfa,
      to: value === undefined ? positionAt(list, after, memory) : new ValuePosition(list, value, after, memory),
    });
  });
  const afterOther = transition.others && costs.afterOther(progress);
  if (transition.others && afterOther) {
    calls.push({
      rule: isFirst ? transition.others.first : transition.others.next,
      to: positionAt(list, afterOther, memory),
    });
  }
  if (costs.canEnd(progress)) tokens.push({ dfa: transition.end.dfa, to });
  return { tokens, calls, rest: [], final: false };
}

/** There is one position for each set of items. */
function positionAt(list: List, progress: Progress, memory: Memory): ListPosition {
  const key = `${progress.seen.toString(36)} ${progress.others}`;
  let position = list.positions.get(key);
  if (position === undefined) list.positions.set(key, (position = new ListPosition(list, progress, memory)));
  return position;
}

/** Entries of an older generation are dropped, so that a position retains no others. */
abstract class RuntimePosition implements Position {
  readonly id: number;
  readonly cost: number;
  calls = 0;
  callsStep = -1;
  readonly #memory: Memory;
  #entry: Entry | undefined;
  #generation = 0;

  constructor(memory: Memory, cost: number) {
    this.id = memory.nextId();
    this.cost = cost;
    this.#memory = memory;
  }

  entry(): Entry {
    const generation = this.#memory.generation();
    if (this.#entry === undefined || this.#generation !== generation) {
      this.#entry = this.makeEntry(this.#memory);
      this.#generation = generation;
    }
    return this.#entry;
  }

  isTail(): boolean {
    return false;
  }

  protected abstract makeEntry(memory: Memory): Entry;
}

/** After a set of items. */
class ListPosition extends RuntimePosition {
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
class ValuePosition extends RuntimePosition {
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
