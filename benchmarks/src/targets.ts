import { short, table } from './table.ts';

/** What was to be reached, and what was. */
export interface Target {
  readonly what: string;
  readonly wanted: { readonly atLeast: number } | { readonly below: number };
  readonly unit: '×' | 'ms' | 'KB';
  readonly reached: number;
}

export function isMet({ wanted, reached }: Target): boolean {
  return 'below' in wanted ? reached < wanted.below : reached >= wanted.atLeast;
}

export function targetTable(targets: readonly Target[]): string {
  return table(
    ['target', 'wanted', 'reached', ''],
    targets.map((target) => {
      const { what, wanted, unit, reached } = target;
      const bound = 'below' in wanted ? `< ${wanted.below}` : `≥ ${wanted.atLeast}`;
      return [what, `${bound} ${unit}`, `${short(reached)} ${unit}`, isMet(target) ? 'met' : '**missed**'];
    }),
  );
}
