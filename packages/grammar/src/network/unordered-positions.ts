import type { CallEdge, Entry, Position, TerminalEdge } from './position.ts';
import type { Progress, UnorderedCosts, UnorderedTransition } from './unordered.ts';

/** The positions within unordered lists, created when a text reaches them: there is one for each possible set of items. */
export interface UnorderedPositions {
  /** What an empty list leads to. */
  start(transition: UnorderedTransition, costs: UnorderedCosts, to: Position): Entry;
  /** The number of positions created since `clearCache`. */
  count(): number;
  /** Drops all positions that no state references. Later ones are equal, but not identical. */
  clearCache(): void;
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
    clearCache() {
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
  const terminals: TerminalEdge[] = [];
  const calls: CallEdge[] = [];
  transition.items.forEach(({ value, first, next }, index) => {
    const rest = costs.restAfter(progress, index);
    if (rest === Infinity) return;
    const { dfa } = isFirst ? first : next;
    terminals.push({
      dfa,
      to:
        value === undefined
          ? positionAt(list, costs.after(progress, index), memory)
          : new ValuePosition(list, progress, index, costs.ofValue(value) + rest + to.cost, memory),
    });
  });
  const afterOther = transition.others && costs.afterOther(progress);
  if (transition.others && afterOther) {
    calls.push({
      rule: isFirst ? transition.others.first : transition.others.next,
      to: positionAt(list, afterOther, memory),
    });
  }
  if (costs.canEnd(progress)) terminals.push({ dfa: transition.end.dfa, to });
  return { terminals, calls, rest: [], final: false };
}

/** There is one position for each set of items. */
function positionAt(list: List, progress: Progress, memory: Memory): ListPosition {
  const key = `${progress.seen.join()} ${progress.others}`;
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
  firstReturn: object | undefined;
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

/** Before the value of an item. There is one for each item that can follow a set of items, so it is small. */
class ValuePosition extends RuntimePosition {
  readonly #list: List;
  readonly #before: Progress;
  readonly #item: number;

  constructor(list: List, before: Progress, item: number, cost: number, memory: Memory) {
    super(memory, cost);
    this.#list = list;
    this.#before = before;
    this.#item = item;
  }

  protected makeEntry(memory: Memory): Entry {
    const { transition, costs } = this.#list;
    const to = positionAt(this.#list, costs.after(this.#before, this.#item), memory);
    const value = transition.items[this.#item]?.value;
    if (value === undefined) return { terminals: [], calls: [], rest: [to], final: false };
    return 'terminal' in value
      ? { terminals: [{ dfa: value.terminal.dfa, to }], calls: [], rest: [], final: false }
      : { terminals: [], calls: [{ rule: value.rule, to }], rest: [], final: false };
  }
}
