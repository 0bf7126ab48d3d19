/** A rule with its usage count. */
export interface UsedRule<Rule> {
  readonly rule: Rule;
  /** Its name, or its path, such as `replies[2]`. */
  readonly name: string;
  readonly used: number;
  /** How often it can be used; undefined without a limit. */
  readonly limit: number | undefined;
}

/** A rule that matched. */
interface MatchedRule<Rule, Result> {
  readonly rule: Rule;
  readonly name: string;
  /** How often the rule was used before. */
  readonly count: number;
  readonly match: Result;
}

export interface RuleSet<Rule> {
  /** Takes the first rule that matches and is not used up, and counts its use. */
  take<Result>(matchRule: (rule: Rule, name: string) => Result | undefined): MatchedRule<Rule, Result> | undefined;
  /** Adds rules before all others, until the next reset. */
  add(rules: readonly Rule[]): void;
  /** Restores the initial rules and counts. */
  reset(): void;
  readonly rules: () => readonly UsedRule<Rule>[];
}

interface Entry<Rule> {
  readonly rule: Rule;
  readonly name: string;
  readonly limit: number | undefined;
  used: number;
}

/** Creates an ordered set of rules. `limitOf` returns how often a rule can be used. */
export function createRuleSet<Rule extends { readonly name?: string | undefined }>(
  initialRules: readonly Rule[],
  path: string,
  limitOf: (rule: Rule) => number | undefined,
): RuleSet<Rule> {
  const entriesOf = (rules: readonly Rule[], prefix: string): Entry<Rule>[] =>
    rules.map((rule, index) => ({ rule, name: rule.name ?? `${prefix}[${index}]`, limit: limitOf(rule), used: 0 }));
  let entries = entriesOf(initialRules, path);
  let added = 0;
  return {
    take(matchRule) {
      for (const entry of entries) {
        if (entry.limit !== undefined && entry.used >= entry.limit) continue;
        const match = matchRule(entry.rule, entry.name);
        if (match !== undefined) return { rule: entry.rule, name: entry.name, count: entry.used++, match };
      }
      return undefined;
    },
    add(rules) {
      entries = [...entriesOf(rules, `added ${path} ${++added}`), ...entries];
    },
    reset() {
      entries = entriesOf(initialRules, path);
      added = 0;
    },
    rules: () => entries,
  };
}

/** The usage of a rule for messages. */
export function describeUsage({ used, limit }: UsedRule<unknown>): string {
  if (limit === undefined) return used === 0 ? 'never used' : `used ${used} times`;
  return used >= limit ? `used up, ${used} of ${limit}` : `used ${used} of ${limit}`;
}
