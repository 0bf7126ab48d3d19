import type { CallEdge, Entry, Position, TerminalEdge } from './position.ts';
import type { Progress, UnorderedCosts, UnorderedTransition } from './unordered.ts';

/** Positions within unordered lists. They are created when a text reaches them, because there is one for each possible set of items. */
export interface UnorderedPositions {
  /** What can come next at the start of a list. */
  start(transition: UnorderedTransition, costs: UnorderedCosts, to: Position): Entry;
  /** The number of positions created since `clearCache`. */
  count(): number;
  /** Drops all positions that no state references. Positions created later are equal to them, but not identical. */
  clearCache(): void;
}

export function createUnorderedPositions(nextId: () => number): UnorderedPositions {
  let count = 0;
  let generation = 0;
  let lists: List[] = [];
  const context: PositionContext = {
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
      return listEntry(list, costs.start, context);
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

/** `generation` is the number of times that the cache has been cleared. */
type PositionContext = { nextId(): number; generation(): number };
type List = {
  readonly transition: UnorderedTransition;
  readonly costs: UnorderedCosts;
  readonly to: Position;
  readonly positions: Map<string, ListPosition>;
};

function listEntry(list: List, progress: Progress, context: PositionContext): Entry {
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
          ? positionAt(list, costs.after(progress, index), context)
          : new ValuePosition(list, progress, index, costs.ofValue(value) + rest + to.cost, context),
    });
  });
  const afterOther = transition.others && costs.afterOther(progress);
  if (transition.others && afterOther) {
    calls.push({
      rule: isFirst ? transition.others.first : transition.others.next,
      to: positionAt(list, afterOther, context),
    });
  }
  if (costs.canEnd(progress)) terminals.push({ dfa: transition.end.dfa, to });
  return { terminals, calls, rest: [], final: false };
}

/** The position after a set of items; the same object for equal sets. */
function positionAt(list: List, progress: Progress, context: PositionContext): ListPosition {
  const key = `${progress.seen.join()} ${progress.others}`;
  let position = list.positions.get(key);
  if (position === undefined) list.positions.set(key, (position = new ListPosition(list, progress, context)));
  return position;
}

/** A position created at run time. It drops its entry when the cache has been cleared, so that it does not retain other positions. */
abstract class RuntimePosition implements Position {
  readonly id: number;
  readonly cost: number;
  calls = 0;
  callsStep = -1;
  firstReturn: object | undefined;
  readonly #context: PositionContext;
  #entry: Entry | undefined;
  #generation = 0;

  constructor(context: PositionContext, cost: number) {
    this.id = context.nextId();
    this.cost = cost;
    this.#context = context;
  }

  entry(): Entry {
    const generation = this.#context.generation();
    if (this.#entry === undefined || this.#generation !== generation) {
      this.#entry = this.makeEntry(this.#context);
      this.#generation = generation;
    }
    return this.#entry;
  }

  isTail(): boolean {
    return false;
  }

  protected abstract makeEntry(context: PositionContext): Entry;
}

/** The position after a set of items. */
class ListPosition extends RuntimePosition {
  readonly #list: List;
  readonly #progress: Progress;

  constructor(list: List, progress: Progress, context: PositionContext) {
    super(context, list.costs.rest(progress) + list.to.cost);
    this.#list = list;
    this.#progress = progress;
  }

  protected makeEntry(context: PositionContext): Entry {
    return listEntry(this.#list, this.#progress, context);
  }
}

/** The position before the value of an item. It is small, because there is one for each item that can follow a set of items. */
class ValuePosition extends RuntimePosition {
  readonly #list: List;
  readonly #before: Progress;
  readonly #item: number;

  constructor(list: List, before: Progress, item: number, cost: number, context: PositionContext) {
    super(context, cost);
    this.#list = list;
    this.#before = before;
    this.#item = item;
  }

  protected makeEntry(context: PositionContext): Entry {
    const { transition, costs } = this.#list;
    const to = positionAt(this.#list, costs.after(this.#before, this.#item), context);
    const value = transition.items[this.#item]?.value;
    if (value === undefined) return { terminals: [], calls: [], rest: [to], final: false };
    return 'terminal' in value
      ? { terminals: [{ dfa: value.terminal.dfa, to }], calls: [], rest: [], final: false }
      : { terminals: [], calls: [{ rule: value.rule, to }], rest: [], final: false };
  }
}
