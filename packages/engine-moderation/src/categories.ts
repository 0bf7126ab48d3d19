import { moderationCategories, moderationSubcategories } from '@modelwire/ports';

/** The categories in the order of the model's columns (API: Moderation object). */
export const categories = moderationCategories;

export type Category = (typeof categories)[number];

/** Subcategories and their parents, which must score at least as high. */
export const subcategoryPairs = moderationSubcategories;

export const columnOf: Readonly<Record<Category, number>> = Object.fromEntries(
  categories.map((category, column) => [category, column]),
) as Record<Category, number>;
