import type { ModerationResult } from '@modelwire/client';

export interface CategoryRow {
  readonly category: string;
  readonly score: number;
  /** The score from which the category is flagged, if the server reports it. */
  readonly threshold: number | undefined;
  readonly flagged: boolean;
  /** Whether the model judges the category. Results of text-only models do not tell. */
  readonly isJudged: boolean;
  readonly inputTypes: readonly string[];
}

/** The categories of a result, highest score first. */
export function categoryRows(result: ModerationResult): readonly CategoryRow[] {
  const flagged = new Map(Object.entries(result.categories));
  const applied = result.category_applied_input_types;
  const inputTypes = new Map(Object.entries(applied ?? {}));
  return Object.entries(result.category_scores)
    .map(([category, score]) => ({
      category,
      score,
      threshold: result.category_thresholds?.[category],
      flagged: flagged.get(category) === true,
      isJudged: !applied || (inputTypes.get(category) ?? []).length > 0,
      inputTypes: inputTypes.get(category) ?? [],
    }))
    .sort((a, b) => b.score - a.score);
}
