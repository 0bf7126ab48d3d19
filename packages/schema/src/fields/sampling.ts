import { decimal, integer, text } from './field.ts';
import * as limits from '../limits.ts';

export const penalty = decimal({ min: limits.PENALTY_MIN, max: limits.PENALTY_MAX });
export const temperature = decimal({ min: limits.TEMPERATURE_MIN, max: limits.TEMPERATURE_MAX });
export const topP = decimal({ min: limits.TOP_P_MIN, max: limits.TOP_P_MAX });

/** A text at which a reply ends. A lone surrogate would end it in the middle of a character. */
export const stopSequence = text({ min: 1, max: limits.STOP_MAX_LENGTH }).check(({ value, issues }) => {
  if (!value.isWellFormed()) issues.push({ code: 'custom', message: 'whole characters', input: value });
});

/** Sampling parameters of open models, which the API of OpenAI does not have. */
export const openModelSampling = {
  min_p: decimal({ min: 0, max: 1 }).nullable().optional().meta({
    description: 'Tokens with less than this fraction of the highest probability are not chosen.',
    default: 0,
  }),
  repeat_penalty: decimal({ min: 0.1, max: 10 }).nullable().optional().meta({
    description: 'Above 1, tokens that were used recently, in the prompt or the reply, are less likely.',
    default: 1,
  }),
  top_k: integer({ min: 0 })
    .nullable()
    .optional()
    .meta({ description: 'Only this many of the most likely tokens are chosen from; 0 for all.', default: 0 }),
  typical_p: decimal({ min: 0, max: 1 }).nullable().optional().meta({
    description: 'Only tokens of typical information, with this probability together, are chosen from; 1 for all.',
    default: 1,
  }),
};

/** Documents the penalties. */
export const frequencyPenaltyMeta = {
  description: 'Positive values make tokens less likely the more often they appeared.',
  default: 0,
};
export const presencePenaltyMeta = {
  description: 'Positive values make tokens less likely that appeared at all.',
  default: 0,
};
