import { short, table } from './table.ts';

/** What was to be reached, and what was. */
export interface Target {
  readonly what: string;
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number };
  readonly unit: '×' | 'ms' | 'KB' | 'MB' | '%';
  readonly reached: number;
}

export function isMet({ wanted, reached }: Target): boolean {
  if ('below' in wanted) return reached < wanted.below;
  return 'atMost' in wanted ? reached <= wanted.atMost : reached >= wanted.atLeast;
}

export function targetTable(targets: readonly Target[]): string {
  return table(
    ['target', 'wanted', 'reached', ''],
    targets.map((target) => {
      const { what, unit, reached } = target;
      return [what, `${bound(target)} ${unit}`, `${short(reached)} ${unit}`, isMet(target) ? 'met' : '**missed**'];
    }),
  );
}

function bound({ wanted }: Target): string {
  if ('below' in wanted) return `< ${wanted.below}`;
  return 'atMost' in wanted ? `≤ ${wanted.atMost}` : `≥ ${wanted.atLeast}`;
}
