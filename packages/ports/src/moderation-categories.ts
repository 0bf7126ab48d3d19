import type { ModerationCategory } from '@modelwire/schema/types';

/** All categories, in the order of the API. */
export const moderationCategories = [
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

/** Subcategories, each with the category that includes it. */
export const moderationSubcategories = [
  ['sexual/minors', 'sexual'],
  ['hate/threatening', 'hate'],
  ['violence/graphic', 'violence'],
  ['self-harm/intent', 'self-harm'],
  ['self-harm/instructions', 'self-harm'],
  ['harassment/threatening', 'harassment'],
  ['illicit/violent', 'illicit'],
] as const satisfies readonly (readonly [child: ModerationCategory, parent: ModerationCategory])[];
