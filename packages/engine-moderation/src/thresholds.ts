import { categories, type Category } from './categories.ts';

/**
 * The logit from which a category is flagged: chosen by `tooling/moderation-training` on texts of other origin than those of the training. A
 * category without one is not judged: there, it finds too little or flags too much (README).
 */
export const thresholds: Readonly<Partial<Record<Category, number>>> = {
  'self-harm': -1.108,
  'self-harm/intent': -1.371,
};

export const judgedCategories = categories.filter((category) => thresholds[category] !== undefined);
