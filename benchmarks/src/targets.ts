import { short, table } from './table.ts';

/** A goal of a benchmark, and the measured value. */
export interface Target {
  readonly what: string;
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number };
  readonly unit: '×' | 'ms' | 'KB' | 'MB' | '%' | '';
  readonly reached: number;
}

function isMet({ wanted, reached }: Target): boolean {
  if ('below' in wanted) return reached < wanted.below;
  return 'atMost' in wanted ? reached <= wanted.atMost : reached >= wanted.atLeast;
}

export function targetTable(targets: readonly Target[]): string {
  return table(
    ['target', 'wanted', 'reached', ''],
    targets.map((target) => {
      const { what, unit, reached } = target;
      const value = (text: string): string => `${text} ${unit}`.trim();
      return [what, value(bound(target)), value(short(reached)), isMet(target) ? 'met' : '**missed**'];
    }),
  );
}

function bound({ wanted }: Target): string {
  if ('below' in wanted) return `< ${wanted.below}`;
  return 'atMost' in wanted ? `≤ ${wanted.atMost}` : `≥ ${wanted.atLeast}`;
}
