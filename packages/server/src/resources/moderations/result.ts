import { moderationCategories } from '@modelwire/ports';
import type { ModerationByCategory, ModerationCategory, ModerationResult } from '@modelwire/schema/types';
import type { ModerationEngineModel, ModerationVerdict } from '@modelwire/ports';

/** A verdict in the format of the API: the older one for a text-only model. */
export function moderationResult(verdict: ModerationVerdict, { inputs }: ModerationEngineModel): ModerationResult {
  const isLegacyFormat = !inputs.includes('image');
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
