import type { Terminal } from './node.ts';

/** Items in any order, each at most once, followed by `end`. No two items have a text in common. */
export type UnorderedTransition = {
  readonly items: readonly UnorderedItemTransition[];
  /** Any number of items other than these: the rule of the first item of the list, and that of an item after another one. */
  readonly others: { readonly first: number; readonly next: number } | undefined;
  /** The minimum and maximum number of items. Of `others`, only one counts towards `min`, because they can be equal. */
  readonly min: number;
  readonly max: number;
  readonly end: Terminal;
  readonly to: number;
};

type UnorderedItemTransition = {
  /** The start of the item if it is the first of the list, and after another item. */
  readonly first: Terminal;
  readonly next: Terminal;
  readonly value: { readonly terminal: Terminal } | { readonly rule: number } | undefined;
  readonly isRequired: boolean;
};

/** The items so far. */
export type Progress = {
  /** The bits of the declared items so far. */
  readonly seen: Uint32Array;
  /** The number of declared items so far. */
  readonly count: number;
  /** The number of required items that are missing. */
  readonly missing: number;
  /** The number of other items so far. */
  readonly others: number;
  /** The minimum number of bytes of the missing items, each with a separator. */
  readonly bytes: number;
};

/** Computes the minimum number of bytes to the end of an unordered list, and which items can follow. */
export type UnorderedCosts = {
  readonly start: Progress;
  /** The minimum number of bytes to the end; `Infinity` if it cannot be reached. */
  rest(progress: Progress): number;
  /**
   * The minimum number of bytes to the end after one more item; `Infinity` if the list already has that item or the end cannot be reached.
   * Called for each item of each set of items, so it does not create a `Progress`.
   */
  restAfter(progress: Progress, item: number): number;
  /** The progress after one more declared item. */
  after(progress: Progress, item: number): Progress;
  /** The progress after one more other item; `undefined` if the end cannot be reached from there. */
  afterOther(progress: Progress): Progress | undefined;
  canEnd(progress: Progress): boolean;
  ofValue(value: NonNullable<UnorderedItemTransition['value']>): number;
};

const SEPARATOR = 1;

/** `ruleCosts` are the minimum numbers of bytes of all rules. */
export function unorderedCosts(transition: UnorderedTransition, ruleCosts: ArrayLike<number>): UnorderedCosts {
  const { items, others, min, max, end } = transition;
  const ofRule = (rule: number): number => ruleCosts[rule] ?? Infinity;
  const ofValue: UnorderedCosts['ofValue'] = (value) =>
    'rule' in value ? ofRule(value.rule) : ofTerminal(value.terminal);
  const costs = items.map(({ next, value }) => ofTerminal(next) + (value === undefined ? 0 : ofValue(value)));
  const other = others === undefined ? Infinity : ofRule(others.next);
  const required = items.flatMap(({ isRequired }, index) => (isRequired ? [index] : []));
  const optional = items
    .flatMap(({ isRequired }, index) => (isRequired || costs[index] === Infinity ? [] : [index]))
    .sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
  const start: Progress = {
    ...{ seen: new Uint32Array(Math.ceil(items.length / 32)), count: 0, missing: required.length, others: 0 },
    bytes: required.reduce((sum, index) => sum + (costs[index] ?? 0), 0),
  };

  /** The minimum number of bytes of `lacking` more optional items, other than `item`; `Infinity` if there are not enough. */
  const extra = ({ seen, others: before }: Progress, lacking: number, item: number): number => {
    if (lacking <= 0) return 0;
    let left = lacking;
    let bytes = 0;
    let isOtherLeft = before === 0 && other < Infinity;
    for (const index of optional) {
      if (index === item || hasItem(seen, index)) continue;
      const cost = costs[index] ?? 0;
      if (isOtherLeft && other < cost) {
        isOtherLeft = false;
        bytes += other;
        if (--left === 0) return bytes;
      }
      bytes += cost;
      if (--left === 0) return bytes;
    }
    return isOtherLeft && left === 1 ? bytes + other : Infinity;
  };
  /** The minimum number of bytes to the end from a progress, or, unless it is -1, after one more item. */
  const restWith = (progress: Progress, item: number): number => {
    const isAfter = item >= 0;
    const isRequired = isAfter && items[item]?.isRequired === true;
    const count = progress.count + (isAfter ? 1 : 0);
    const missing = progress.missing - (isRequired ? 1 : 0);
    const bytes = progress.bytes - (isRequired ? (costs[item] ?? 0) : 0);
    const lacking = min - count - Math.min(progress.others, 1) - missing;
    const additional = Math.max(missing, missing + lacking);
    if (bytes === Infinity || count + progress.others + additional > max) return Infinity;
    const separators = count + progress.others === 0 && additional > 0 ? SEPARATOR : 0;
    return bytes + extra(progress, lacking, item) - separators + ofTerminal(end);
  };

  return {
    start,
    rest: (progress) => restWith(progress, -1),
    restAfter(progress, item) {
      if (hasItem(progress.seen, item) || costs[item] === Infinity) return Infinity;
      return restWith(progress, item);
    },
    after(progress, item) {
      const isRequired = items[item]?.isRequired === true;
      const seen = progress.seen.slice();
      seen[item >>> 5] = (seen[item >>> 5] ?? 0) | (1 << (item & 31));
      return {
        ...{ seen, count: progress.count + 1, others: progress.others },
        missing: progress.missing - (isRequired ? 1 : 0),
        bytes: progress.bytes - (isRequired ? (costs[item] ?? 0) : 0),
      };
    },
    afterOther(progress) {
      if (other === Infinity) return undefined;
      // Without a maximum, it only matters whether there are any other items.
      const next = { ...progress, others: max === Infinity ? 1 : progress.others + 1 };
      return restWith(next, -1) < Infinity ? next : undefined;
    },
    canEnd: ({ count, missing, others: before }) => missing === 0 && count + Math.min(before, 1) >= min,
    ofValue,
  };
}

function hasItem(seen: Uint32Array, item: number): boolean {
  return ((seen[item >>> 5] ?? 0) & (1 << (item & 31))) !== 0;
}

function ofTerminal({ minBytes }: Terminal): number {
  return minBytes < 0 ? Infinity : minBytes;
}
