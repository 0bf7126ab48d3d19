import type { ModerationCategory } from '@modelwire/schema/types';

/** All categories, in the order of the interface. */
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
