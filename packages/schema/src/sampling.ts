import { decimal } from './field.ts';
import * as limits from './limits.ts';

export const penalty = decimal({ min: limits.PENALTY_MIN, max: limits.PENALTY_MAX });
export const temperature = decimal({ min: limits.TEMPERATURE_MIN, max: limits.TEMPERATURE_MAX });
export const topP = decimal({ min: limits.TOP_P_MIN, max: limits.TOP_P_MAX });

/** Documents the penalties. */
export const frequencyPenaltyMeta = {
  description: 'Positive values make tokens less likely the more often they appeared.',
  default: 0,
};
export const presencePenaltyMeta = {
  description: 'Positive values make tokens less likely that appeared at all.',
  default: 0,
};
