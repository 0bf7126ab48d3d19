import type { Token } from './node.ts';

/** Items in any order, each at most once, until `end`. The texts of the items differ. */
export type UnorderedTransition = {
  readonly items: readonly UnorderedItemTransition[];
  /** Rules of one more item that is none of these, as the first one and after others; any number of them. */
  readonly others: { readonly first: number; readonly next: number } | undefined;
  /** The number of items. Of the others, only one counts towards `min`, because they can be equal. */
  readonly min: number;
  readonly max: number;
  readonly end: Token;
  readonly to: number;
};

export type UnorderedItemTransition = {
  /** How the item begins as the first one, and after others. */
  readonly first: Token;
  readonly next: Token;
  readonly value: { readonly token: Token } | { readonly rule: number } | undefined;
  readonly isRequired: boolean;
};

/** The items so far: `count` different ones, whose bits are set, and others. */
export type Progress = {
  readonly seen: bigint;
  readonly count: number;
  /** The required items that are missing. */
  readonly missing: number;
  readonly others: number;
  /** The bytes of the missing items, each with a separator. */
  readonly bytes: number;
};

/** The fewest bytes of the items of an unordered list, and which of them can follow. */
export type UnorderedCosts = {
  readonly start: Progress;
  /** The fewest bytes to the end; infinite if there is no way to it. */
  rest(progress: Progress): number;
  /** The progress after an item, or after one of the others; `undefined` if no end can be reached from there. */
  after(progress: Progress, item: number): Progress | undefined;
  afterOther(progress: Progress): Progress | undefined;
  canEnd(progress: Progress): boolean;
  ofValue(value: NonNullable<UnorderedItemTransition['value']>): number;
};

const SEPARATOR = 1;

/** `ruleCosts` are the fewest bytes of each rule. */
export function unorderedCosts(transition: UnorderedTransition, ruleCosts: ArrayLike<number>): UnorderedCosts {
  const { items, others, min, max, end } = transition;
  const ofRule = (rule: number): number => ruleCosts[rule] ?? Infinity;
  const ofValue: UnorderedCosts['ofValue'] = (value) => ('rule' in value ? ofRule(value.rule) : ofToken(value.token));
  const costs = items.map(({ next, value }) => ofToken(next) + (value === undefined ? 0 : ofValue(value)));
  const other = others === undefined ? Infinity : ofRule(others.next);
  const required = items.flatMap(({ isRequired }, index) => (isRequired ? [index] : []));
  const optional = items
    .flatMap(({ isRequired }, index) => (isRequired || costs[index] === Infinity ? [] : [index]))
    .sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
  const start: Progress = {
    ...{ seen: 0n, count: 0, missing: required.length, others: 0 },
    bytes: required.reduce((sum, index) => sum + (costs[index] ?? 0), 0),
  };

  /** The bytes of optional items that a minimum requires; infinite if there are too few. */
  const extra = ({ seen, count, missing, others: before }: Progress): number => {
    let lacking = min - count - Math.min(before, 1) - missing;
    if (lacking <= 0) return 0;
    let bytes = 0;
    let isOtherLeft = before === 0 && other < Infinity;
    for (const index of optional) {
      if ((seen >> BigInt(index)) & 1n) continue;
      const cost = costs[index] ?? 0;
      if (isOtherLeft && other < cost) {
        isOtherLeft = false;
        bytes += other;
        if (--lacking === 0) return bytes;
      }
      bytes += cost;
      if (--lacking === 0) return bytes;
    }
    return isOtherLeft && lacking === 1 ? bytes + other : Infinity;
  };
  const additional = ({ count, missing, others: before }: Progress): number =>
    Math.max(missing, min - count - Math.min(before, 1));
  const isPossible = (progress: Progress): boolean =>
    progress.bytes < Infinity &&
    progress.count + progress.others + additional(progress) <= max &&
    extra(progress) < Infinity;

  return {
    start,
    rest(progress) {
      if (!isPossible(progress)) return Infinity;
      const separators = progress.count + progress.others === 0 && additional(progress) > 0 ? SEPARATOR : 0;
      return progress.bytes + extra(progress) - separators + ofToken(end);
    },
    after(progress, item) {
      const bit = 1n << BigInt(item);
      const cost = costs[item] ?? Infinity;
      if ((progress.seen & bit) !== 0n || cost === Infinity) return undefined;
      const isRequired = items[item]?.isRequired === true;
      const next = {
        ...{ seen: progress.seen | bit, count: progress.count + 1, others: progress.others },
        missing: progress.missing - (isRequired ? 1 : 0),
        bytes: progress.bytes - (isRequired ? cost : 0),
      };
      return isPossible(next) ? next : undefined;
    },
    afterOther(progress) {
      if (other === Infinity) return undefined;
      // Without a maximum, it only matters whether there are any.
      const next = { ...progress, others: max === Infinity ? 1 : progress.others + 1 };
      return isPossible(next) ? next : undefined;
    },
    canEnd: ({ count, missing, others: before }) => missing === 0 && count + Math.min(before, 1) >= min,
    ofValue,
  };
}

function ofToken({ minBytes }: Token): number {
  return minBytes < 0 ? Infinity : minBytes;
}
