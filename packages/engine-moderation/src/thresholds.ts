import { categories, type Category } from './categories.ts';

/**
 * The sum of the logits of a category and of harm from which a text is harmful: one category is enough. These and the next ones are chosen by
 * `tooling/moderation-training` on texts of other origin than those of the training.
 */
export const harmThresholds: Readonly<Partial<Record<Category, number>>> = {
  sexual: -3.298,
  hate: -1.568,
  'self-harm': -1.889,
  'self-harm/instructions': -4.239,
  'illicit/violent': -3.478,
};

/**
 * The logit from which a harmful text shows a category. A category without one is not judged: on those texts it finds too little or flags too
 * much (README).
 */
export const thresholds: Readonly<Partial<Record<Category, number>>> = {
  sexual: -2.548,
  hate: -1.236,
  'self-harm': -2.274,
  'sexual/minors': -2.596,
  'hate/threatening': -2.798,
  'self-harm/intent': -3.27,
  'self-harm/instructions': -3.524,
  violence: -2.486,
  'illicit/violent': -3.051,
};

export const judgedCategories = categories.filter((category) => thresholds[category] !== undefined);
