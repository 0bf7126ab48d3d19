import type { ModerationByCategory, ModerationCategory, ModerationResult } from '@modelwire/schema/types';
import { moderationCategories } from '@modelwire/ports';
import type { ModerationVerdict } from '@modelwire/ports';

/** A verdict in the format of the API. @param isLegacyFormat Whether it is the older one, of text-only models. */
export function moderationResult(verdict: ModerationVerdict, isLegacyFormat: boolean): ModerationResult {
  const flags = byCategory((category) => verdict[category]?.flagged ?? false, isLegacyFormat);
  const thresholds = Object.keys(flags).flatMap((name) => {
    const category = moderationCategories.find((one) => one === name);
    const threshold = category && verdict[category]?.threshold;
    return threshold === undefined ? [] : [[name, threshold] as const];
  });
  return {
    flagged: Object.values(flags).includes(true),
    categories: flags,
    category_scores: byCategory((category) => verdict[category]?.score ?? 0, isLegacyFormat),
    ...(!isLegacyFormat && {
      category_applied_input_types: byCategory((category) => verdict[category]?.appliedTo ?? [], isLegacyFormat),
    }),
    ...(thresholds.length > 0 && { category_thresholds: Object.fromEntries(thresholds) }),
  };
}

function byCategory<Value>(
  valueOf: (category: ModerationCategory) => Value,
  isLegacyFormat: boolean,
): ModerationByCategory<Value> {
  const {
    illicit,
    'illicit/violent': violent,
    ...others
  } = Object.fromEntries(moderationCategories.map((category) => [category, valueOf(category)])) as Record<
    ModerationCategory,
    Value
  >;
  return isLegacyFormat ? others : { ...others, illicit, 'illicit/violent': violent };
}

/** The categories that are flagged. */
export function flaggedCategories(verdict: ModerationVerdict): readonly ModerationCategory[] {
  return moderationCategories.filter((category) => verdict[category]?.flagged);
}

/** The categories that at least one of the inputs was not judged for. */
export function unjudgedCategories(verdicts: readonly ModerationVerdict[]): readonly ModerationCategory[] {
  return moderationCategories.filter((category) =>
    verdicts.some((verdict) => (verdict[category]?.appliedTo ?? []).length === 0),
  );
}

/** The verdict on two texts together: of each category the higher score. */
export function mergeVerdicts(a: ModerationVerdict, b: ModerationVerdict): ModerationVerdict {
  const merged = { ...a };
  for (const category of moderationCategories) {
    const [one, other] = [a[category], b[category]];
    if (!one || !other) merged[category] = one ?? other;
    else {
      merged[category] = {
        ...(one.score >= other.score ? one : other),
        flagged: one.flagged || other.flagged,
        appliedTo: [...new Set([...one.appliedTo, ...other.appliedTo])],
      };
    }
  }
  return merged;
}
