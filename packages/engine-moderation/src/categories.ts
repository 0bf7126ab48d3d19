import type { ModerationCategory } from '@modelwire/schema/types';

/** The categories in the order of the model's columns (interface: Moderation object). */
export const categories = [
  'sexual',
  'hate',
  'harassment',
  'self-harm',
  'sexual/minors',
  'hate/threatening',
  'violence/graphic',
  'self-harm/intent',
  'self-harm/instructions',
  'harassment/threatening',
  'violence',
  'illicit',
  'illicit/violent',
] as const satisfies readonly ModerationCategory[];

export type Category = (typeof categories)[number];

/** A child and the parent that must score at least as high: what is the special case is the general one too. */
export const lineage: readonly (readonly [child: Category, parent: Category])[] = [
  ['sexual/minors', 'sexual'],
  ['hate/threatening', 'hate'],
  ['violence/graphic', 'violence'],
  ['self-harm/intent', 'self-harm'],
  ['self-harm/instructions', 'self-harm'],
  ['harassment/threatening', 'harassment'],
  ['illicit/violent', 'illicit'],
];

export const columnOf: Readonly<Record<Category, number>> = Object.fromEntries(
  categories.map((category, column) => [category, column]),
) as Record<Category, number>;
